/** Who a request is from: once a request, before anything else of it is looked at. */
import type { GatewayConfig } from "../config/schema.ts";
import { GatewayError } from "../errors.ts";
import { createApiKeys } from "./api-keys.ts";
import { parseBearer } from "./bearer.ts";
import { ANONYMOUS, type Identity } from "./identity.ts";
import { JwksCache } from "./jwks.ts";
import { createTokens } from "./tokens.ts";

export interface AuthenticatorOptions {
  /** Milliseconds since the epoch; the system's clock where left out. */
  readonly now?: () => number;
  /** Issuers' keys, shared by the versions of a configuration so that a reload fetches nothing again. */
  readonly jwks?: JwksCache;
}

export interface Authenticator {
  /**
   * @param authorization the header as it came
   * @throws GatewayError UNAUTHORIZED, always the same, whatever is missing or wrong
   */
  authenticate(authorization: string | undefined): Promise<Identity>;
}

/** Everybody is `ANONYMOUS`, whatever they send, where the configuration has no tenants. */
export function createAuthenticator(config: GatewayConfig, options: AuthenticatorOptions = {}): Authenticator {
  const { now = Date.now } = options;
  if (config.tenants === undefined) return { authenticate: () => Promise.resolve(ANONYMOUS) };
  const apiKeys = createApiKeys(config);
  const tokens = createTokens(config, options.jwks ?? new JwksCache({ now }));
  return {
    authenticate: async (authorization) => {
      const token = parseBearer(authorization);
      const time = now();
      const identity = token === null ? null : (apiKeys(token, time) ?? (await tokens(token, time)));
      if (identity === null) throw new GatewayError("UNAUTHORIZED");
      return identity;
    }
  };
}
