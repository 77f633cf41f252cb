/**
 * Which `Host` a request may name and which `Origin` may have sent it: the defence against DNS rebinding and against
 * pages of other sites. Checked on every route, before a body is read.
 */
import { GatewayError } from "../errors.ts";

export interface HostRules {
  /** `server.publicUrl`. */
  readonly publicUrl?: string | undefined;
  /** `server.allowedHosts`: `name:port`, or `name` for any port. */
  readonly allowedHosts: readonly string[];
  /** `server.cors.origins`. */
  readonly origins: readonly string[];
}

export interface HostChecks {
  /**
   * @param localPort the port that the connection came in on
   * @throws GatewayError FORBIDDEN unless the `Host` header names this gateway
   */
  host(header: string | undefined, localPort: number | undefined): void;
  /** @throws GatewayError FORBIDDEN where an `Origin` was sent that is neither the gateway's own nor a CORS origin. */
  origin(header: string | undefined, localPort: number | undefined): void;
  /** Whether the answer needs CORS headers. */
  isCorsOrigin(header: string | undefined): header is string;
}

interface Authority {
  readonly name: string;
  /** Empty where it was left out. */
  readonly port: string;
}

const AUTHORITY = /^(?<name>\[[0-9a-f:.]+\]|[^:[\]/@]+)(?::(?<port>\d{1,5}))?$/;
const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Builds the checks for one version of the configuration. */
export function createHostChecks({ publicUrl, allowedHosts, origins }: HostRules): HostChecks {
  const anyPort = new Set<string>();
  const exact = new Set<string>();
  for (const { name, port } of allowedHosts.map(parseAuthority).filter((host) => host !== null)) {
    if (port === "") anyPort.add(name);
    else exact.add(`${name}:${port}`);
  }
  if (publicUrl !== undefined) exact.add(authorityOf(new URL(publicUrl)));
  const onlyLoopback = anyPort.size + exact.size === 0;
  const corsOrigins = new Set(origins.map((origin) => origin.toLowerCase()));

  const names = ({ name, port }: Authority, localPort: number | undefined): boolean => {
    if (onlyLoopback) return LOOPBACK_NAMES.includes(name) && (port || "80") === String(localPort);
    if (anyPort.has(name)) return true;
    // A host without a port means the default one of a scheme that only the proxy before us knows.
    return port === "" ? exact.has(`${name}:443`) || exact.has(`${name}:80`) : exact.has(`${name}:${port}`);
  };

  return {
    host(header, localPort) {
      const authority = header === undefined ? null : parseAuthority(header);
      if (authority !== null && names(authority, localPort)) return;
      throw new GatewayError("FORBIDDEN", {
        message: "The Host header does not name this gateway. See server.publicUrl and server.allowedHosts.",
        details: { field: "Host" }
      });
    },
    origin(header, localPort) {
      if (header === undefined || corsOrigins.has(header.toLowerCase())) return;
      const url = URL.canParse(header) ? new URL(header) : null;
      const own = url === null || url.origin !== header.toLowerCase() ? null : parseAuthority(authorityOf(url));
      if (own !== null && names(own, localPort)) return;
      throw new GatewayError("FORBIDDEN", {
        message: "Pages of this origin may not call the gateway. See server.cors.origins.",
        details: { field: "Origin" }
      });
    },
    isCorsOrigin: (header): header is string => header !== undefined && corsOrigins.has(header.toLowerCase())
  };
}

function parseAuthority(text: string): Authority | null {
  const groups = AUTHORITY.exec(text.toLowerCase())?.groups;
  return groups?.name === undefined ? null : { name: groups.name, port: groups.port ?? "" };
}

/** With its port, which `URL` leaves out where it is the scheme's default. */
function authorityOf(url: URL): string {
  return `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}`;
}
