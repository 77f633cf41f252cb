/** The packaged sample, explored to its end by links alone: whatever an answer offers can be followed. */
import { expect, it } from "vitest";
import { startEmbeddedSample } from "../contract/sample.ts";
import { restOver } from "./over-upstream.ts";

const LINK = /"(\/openapi\/v2\/[^"]+)"/g;

it("every link of every answer is followed at the gateway as it stands", async () => {
  await using embedded = await startEmbeddedSample();
  await using rest = restOver({ url: embedded.url, key: embedded.apiKey });
  const bases = (await rest.request("/openapi/v2/knowledge-bases")).body as { items: { knowledgeBaseId: string }[] };
  const starts = bases.items.flatMap(({ knowledgeBaseId }) =>
    ["tree", "tree?parentPath=pages", "search?query=the&limit=50", "graph/overview"].map(
      (path) => `/agent/${knowledgeBaseId}/${path}`
    )
  );
  const known = new Set<string>(starts);
  const statuses = new Map<number, number>();
  for (const target of known) {
    const { status, text } = await rest.request(target);
    // A generated file has no relations, and a knowledge base without content no graph: both say so.
    const expected = /\/generated-[^/]+\/related$/.test(target) ? 409 : /"NO_CONTENT_YET"/.test(text) ? 404 : 200;
    expect([target, status]).toEqual([target, expected]);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    for (const [, link] of text.matchAll(LINK)) known.add(JSON.parse(`"${link}"`));
    for (const [, path] of text.matchAll(/"path":"([^"]+)","sortKey":"[^"]*","entryType":"directory"/g)) {
      const [base] = target.split(/\/tree\b/);
      known.add(`${base}/tree?parentPath=${encodeURIComponent(JSON.parse(`"${path}"`))}`);
    }
  }
  expect(statuses.get(200)).toBeGreaterThan(300);
  expect([...known].filter((link) => link.includes("source-files"))).toEqual([]);
}, 60_000);
