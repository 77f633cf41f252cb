/** Whether the gateway can be reached by those who should, and by nobody else. */
import { parseAddressRange } from "./addresses.ts";
import type { ConfigDraft } from "./draft.ts";
import { isLoopbackHost } from "./loopback.ts";
import { error, type Finding, warning } from "./problems.ts";
import type { ServerConfig } from "./schema.ts";

export function checkExposure({ server, tenants, upstreams }: ConfigDraft): readonly Finding[] {
  const findings: Finding[] = [];
  if (server !== null) findings.push(...checkServer(server, tenants !== null));
  for (const { name, upstream } of upstreams) {
    if (upstream === null || isProtected(upstream.url)) continue;
    findings.push(warning(["upstreams", name, "url"], "http sends the upstream's key in the clear; use https"));
  }
  return findings;
}

function checkServer(server: ServerConfig, hasTenants: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  const open = !isLoopbackHost(server.host);
  if (open && !hasTenants) {
    findings.push(
      error(["server", "host"], "without tenants everybody sees everything: only a loopback host is served")
    );
  }
  if (open && hasTenants && server.publicUrl === undefined && server.allowedHosts.length === 0) {
    const message = "no publicUrl and no allowedHosts: requests for any but a loopback name are refused";
    findings.push(warning(["server", "publicUrl"], message));
  }
  if (hasTenants && server.cursorSecret === undefined) {
    findings.push(
      warning(
        ["server", "cursorSecret"],
        "no cursorSecret: cursors die with the process and no other replica can read them"
      )
    );
  }
  server.trustedProxies.forEach((range, index) => {
    if (parseAddressRange(range) !== null) return;
    findings.push(error(["server", "trustedProxies", index], "not an address or a CIDR range, such as 10.0.0.0/8"));
  });
  server.cors.origins.forEach((origin, index) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return;
    findings.push(error(["server", "cors", "origins", index], "not an origin, such as https://app.example.com"));
  });
  server.allowedHosts.forEach((host, index) => {
    if (URL.canParse(`http://${host}`) && new URL(`http://${host}`).pathname === "/" && !/[/@?#]/.test(host)) return;
    findings.push(error(["server", "allowedHosts", index], "not a host name with an optional port"));
  });
  return findings;
}

function isProtected(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopbackHost(hostname);
}
