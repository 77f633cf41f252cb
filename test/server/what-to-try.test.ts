import { expect, it } from "vitest";
import { type GatewayConfigInput, GatewayConfigSchema } from "../../src/config/schema.ts";
import { whatToTry } from "../../src/server/commands/what-to-try.ts";
import { createHostChecks } from "../../src/server/hosts.ts";

const LISTENING = "http://127.0.0.1:4321";

it.each<[string, GatewayConfigInput["server"]]>([
  ["nothing", {}],
  ["a public URL", { publicUrl: "https://knowledge.example.com/" }],
  ["an allowed host", { allowedHosts: ["knowledge.internal"] }],
  ["an allowed host with a port", { allowedHosts: ["knowledge.internal:8080"] }],
  ["both", { publicUrl: "https://knowledge.example.com:8443", allowedHosts: ["knowledge.internal"] }]
])("with %s named, every command printed passes the Host check", (_, server) => {
  const config = GatewayConfigSchema.parse({
    server,
    upstreams: { main: { url: "http://127.0.0.1:1", apiKey: "key" } }
  });
  const close = () => Promise.resolve();
  const text = whatToTry(LISTENING, { config, description: "a folder", follow: () => undefined, close });
  const [, ...lines] = text.split("\n");
  const urls = lines.flatMap((line) => line.match(/https?:\/\/[^\s']+/g) ?? []);
  expect(urls.length).toBeGreaterThan(4);
  const { publicUrl, allowedHosts, cors } = config.server;
  const checks = createHostChecks({ publicUrl, allowedHosts, origins: cors.origins });
  for (const url of urls) {
    expect(new URL(url).pathname).not.toContain("//");
    checks.host(new URL(url).host, Number(new URL(LISTENING).port));
  }
});
