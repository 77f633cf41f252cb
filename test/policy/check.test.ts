import { describe, expect, it } from "vitest";
import { renderProblems } from "../../src/config/problems.ts";
import { checkConfig, type ProbeReport } from "../../src/policy/check.ts";
import { temporaryFolder } from "../config/files.ts";

const text = `upstreams:
  main: { url: https://a.example.com, apiKey: \${env:KEY} }
  second: { url: https://b.example.com, apiKey: \${env:KEY} }
knowledgeBases:
  handbook: { upstream: main, id: knowledge-base-h }
  wiki: { upstream: second, id: knowledge-base-w }
tenants:
  acme:
    credentials: [{ apiKeySha256: ${"a".repeat(64)}, subject: bot }]
    grants:
      - { knowledgeBases: [handbook, knowledge-base-w] }
      - { knowledgeBases: [knowledge-base-x], upstream: main }
server: { cursorSecret: \${env:KEY} }
`;
const env = { KEY: "a-secret-of-some-length" };
const well: ProbeReport = { failure: null, version: "Focowiki 2.0.0", missing: [] };

describe("check", () => {
  const check = async (reports: Record<string, Partial<ProbeReport>>, yaml = text) => {
    using folder = temporaryFolder({ "gateway.yaml": yaml });
    const asked: Record<string, readonly string[]> = {};
    const report = await checkConfig(folder.path("gateway.yaml"), env, async (name, upstream, ids) => {
      expect(upstream.apiKey).toBe(env.KEY);
      asked[name] = ids;
      return { ...well, ...reports[name] };
    });
    return {
      asked,
      valid: report.valid,
      upstreams: report.upstreams,
      text: renderProblems("gateway.yaml", report.problems)
    };
  };

  it("asks each upstream for the knowledge bases that the file names", async () => {
    const { asked, valid, text: problems, upstreams } = await check({});
    expect(asked).toEqual({ main: ["knowledge-base-h", "knowledge-base-x"], second: ["knowledge-base-w"] });
    expect([valid, problems]).toEqual([true, ""]);
    expect(upstreams[0]).toEqual({ name: "main", report: well });
  });

  it("warns where the file says it, of what upstreams refuse or lack", async () => {
    const { valid, text: problems } = await check({
      main: { missing: ["knowledge-base-x", "knowledge-base-h"] },
      second: { failure: "UPSTREAM_AUTHENTICATION_FAILED", version: null }
    });
    expect(valid).toBe(true);
    expect(problems.split("\n")).toEqual([
      "gateway.yaml:3: warning: upstreams.second.apiKey: the upstream refuses the key",
      "gateway.yaml:5: warning: knowledgeBases.handbook.id: the upstream main has no such knowledge base",
      "gateway.yaml:12: warning: tenants.acme.grants[1].knowledgeBases[0]: the upstream main has no such knowledge base"
    ]);
    const down = await check({ second: { failure: "UPSTREAM_UNAVAILABLE" } });
    expect(down.text).toBe(
      "gateway.yaml:3: warning: upstreams.second.url: the upstream does not answer as it should: UPSTREAM_UNAVAILABLE"
    );
  });

  it("asks nobody where the file is not valid, and warns of what it says itself", async () => {
    const { asked, valid, text: problems } = await check({}, text.replace("handbook, know", "hanbook, know"));
    expect([asked, valid]).toEqual([{}, false]);
    expect(problems).toContain("gateway.yaml:11: tenants.acme.grants[0].knowledgeBases[0]: hanbook is no slug");
    using folder = temporaryFolder({ "gateway.yaml": text });
    expect(await checkConfig(folder.path("gateway.yaml"), env)).toEqual({ problems: [], valid: true, upstreams: [] });
  });
});
