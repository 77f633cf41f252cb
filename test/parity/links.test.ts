/** The packaged sample and the recordings, explored to their ends by links alone: what an answer offers can be followed. */
import { expect, it } from "vitest";
import { startEmbeddedSample } from "../contract/sample.ts";
import { startGateway, type TestGatewayOptions } from "../harness/gateway.ts";
import { RECORDINGS_ABSENT, recordingsFolder, startReplay } from "../harness/recordings.ts";
import { overReplay, UNHURRIED } from "./replayed.ts";

const LINK = /"(\/openapi\/v2\/[^"]+)"/g;
const DIRECTORY = /"path":"([^"]+)","sortKey":"[^"]*","entryType":"directory"/g;

type Grants = NonNullable<NonNullable<TestGatewayOptions["tenants"]>[string]["grants"]>;

const EVERYTHING: Grants = [{ upstream: "main" }];
/** Some operations, and some pages. */
const A_PART: Grants = [
  {
    upstream: "main",
    operations: ["list_tree", "search_files", "read_file", "expand_graph"],
    paths: { allow: ["pages/**", "index.md"], deny: ["pages/architecture/**", "pages/*/index.md"] }
  }
];

it.each([
  ["everything", EVERYTHING, 300],
  ["a part", A_PART, 60]
] as const)(
  "every link of every answer over the sample is followed as it stands, by one who may see %s",
  async (_, grants, atLeast) => {
    await using embedded = await startEmbeddedSample();
    await using gateway = await startGateway({
      upstreams: { main: embedded },
      upstreamSettings: { rateLimit: { requests: 1_000_000 } },
      tenants: { acme: { grants, limits: UNHURRIED } },
      config: { log: { level: "silent" } }
    });
    const token = gateway.token("acme");
    const { body } = await gateway.get("/openapi/v2/knowledge-bases", { token });
    const starts = body.items.flatMap(({ knowledgeBaseId }: { knowledgeBaseId: string }) =>
      ["tree", "tree?parentPath=pages", "search?query=the&limit=50", "graph/overview"].map(
        (path) => `/agent/${knowledgeBaseId}/${path}`
      )
    );
    const known = new Set<string>(starts);
    let followed = 0;
    for (const target of known) {
      const { status, text } = await gateway.get(target, { token });
      // A generated file has no relations, and a knowledge base without content no graph: both say so.
      const expected = /\/generated-[^/]+\/related$/.test(target) ? 409 : /"NO_CONTENT_YET"/.test(text) ? 404 : 200;
      expect([target, status]).toEqual([target, expected]);
      if (status === 200) followed += 1;
      for (const [, link] of text.matchAll(LINK)) known.add(JSON.parse(`"${link}"`));
      for (const [, path] of text.matchAll(DIRECTORY)) {
        const [base] = target.split(/\/tree\b/);
        known.add(`${base}/tree?parentPath=${encodeURIComponent(JSON.parse(`"${path}"`))}`);
      }
    }
    expect(followed).toBeGreaterThan(atLeast);
    expect([...known].filter((link) => link.includes("source-files"))).toEqual([]);
  },
  120_000
);

it("so is every link of a recorded search, tree and overview", async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  await using replay = await startReplay();
  await using rest = await overReplay(replay);
  const links = new Set<string>();
  for (const target of ["/search?query=cache", "/tree", "/tree?parentPath=pages", "/graph/overview"]) {
    const { status, text } = await rest.get(`/agent/handbook${target}`);
    expect(status).toBe(200);
    for (const [link] of text.matchAll(/\/openapi\/v2\/[^"]+/g)) links.add(link);
  }
  expect(links.size).toBeGreaterThan(40);
  for (const link of links) {
    const status = /generated-.*related$/.test(link) ? 409 : 200;
    expect([link, (await rest.get(link)).status]).toEqual([link, status]);
  }
}, 60_000);
