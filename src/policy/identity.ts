/** Who a request is from. */

export interface Identity {
  readonly tenant: string;
  readonly subject: string;
}

/** Everybody, where the configuration has no tenants. */
export const ANONYMOUS: Identity = { tenant: "anonymous", subject: "anonymous" };
