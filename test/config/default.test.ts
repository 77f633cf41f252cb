import { describe, expect, it } from "vitest";
import { EMBEDDED, folderConfig } from "../../src/config/default.ts";
import { anonymousAccess } from "../../src/policy/grants.ts";

describe("the configuration of a folder", () => {
  const embedded = {
    url: "http://127.0.0.1:43210",
    apiKey: "local",
    knowledgeBases: [{ slug: "sample", id: "knowledge-base-1" }]
  };

  it("is one upstream without tenants, on loopback, without a budget", () => {
    const config = folderConfig(embedded);
    expect(config.tenants).toBeUndefined();
    expect(config.server).toMatchObject({ host: "127.0.0.1", port: 4000 });
    expect(config.upstreams[EMBEDDED]?.rateLimit.requests).toBeGreaterThan(1e6);
    expect(anonymousAccess(config).candidates("sample")).toMatchObject([
      { id: "knowledge-base-1", upstream: EMBEDDED }
    ]);
  });

  it("gives way to the command line", () => {
    const config = folderConfig(embedded, { server: { port: 0 }, log: { level: "silent" } });
    expect(config).toMatchObject({ server: { port: 0, host: "127.0.0.1" }, log: { level: "silent" } });
  });
});
