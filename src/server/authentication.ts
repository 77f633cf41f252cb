/** From a request's credential to what its caller may see: once a request, for every surface alike. */
import type { IncomingMessage } from "node:http";
import type { GatewayConfig } from "../config/schema.ts";
import { GatewayError } from "../errors.ts";
import type { CallerAccess } from "../policy/access.ts";
import { createAuthenticator } from "../policy/authenticate.ts";
import { createClientAddress } from "../policy/client-address.ts";
import { createFailedAuthentications, type FailedAuthentications } from "../policy/failed-authentications.ts";
import { anonymousAccess, createAccess } from "../policy/grants.ts";
import { JwksCache } from "../policy/jwks.ts";

/**
 * @throws GatewayError UNAUTHORIZED, or RATE_LIMITED for an address that was refused too often
 */
export type Authenticate = (incoming: IncomingMessage) => Promise<CallerAccess>;

/** What outlives a reload. */
export interface AuthenticationState {
  readonly jwks: JwksCache;
  readonly failures: FailedAuthentications;
}

export function createAuthenticationState(): AuthenticationState {
  return { jwks: new JwksCache({ now: Date.now }), failures: createFailedAuthentications() };
}

export function createAuthenticate(config: GatewayConfig, { jwks, failures }: AuthenticationState): Authenticate {
  if (config.tenants === undefined) return async () => anonymousAccess(config);
  const authenticator = createAuthenticator(config, { jwks });
  const clientAddress = createClientAddress(config.server.trustedProxies);
  return async ({ headers, socket }) => {
    try {
      return createAccess(config, await authenticator.authenticate(headers.authorization));
    } catch (error) {
      if (error instanceof GatewayError && error.code === "UNAUTHORIZED") {
        failures.count(clientAddress(socket.remoteAddress, headers["x-forwarded-for"]));
      }
      throw error;
    }
  };
}
