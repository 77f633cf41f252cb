/** Relay connections: cursors, page information, and the sizes of pages. */
import { describe, expect, it } from "vitest";
import { type Answer, Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";

interface Tree {
  readonly knowledgeBase: {
    readonly tree: {
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly path: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

function tree(args: string, fields: string): string {
  return `{ knowledgeBase(key: "handbook") { tree${args} { ${fields} } } }`;
}

describe("connections", () => {
  it("invariant 5: seals no cursor that is not selected", async () => {
    const reader = new FakeReader({ files: 50 });
    const client = new Client(reader);
    await client.ask(tree("(first: 51)", "edges { node { path } } pageInfo { hasNextPage }"));
    expect(reader.sealed).toBe(0);
    await client.ask(tree("(first: 51)", "pageInfo { startCursor endCursor }"));
    expect(reader.sealed).toBe(2);
    await client.ask(tree("(first: 10)", "edges { cursor }"));
    expect(reader.sealed).toBe(12);
  });

  it("invariant 5: gives each item once over the walk, from any edge's cursor", async () => {
    const reader = new FakeReader({ files: 10 });
    const client = new Client(reader);
    const paths: string[] = [];
    let after: string | null = "";
    for (let more = true; more; ) {
      const answer: Answer<Tree> = await client.ask<Tree>(
        `query ($after: String) ${tree("(first: 4, after: $after)", "edges { cursor node { path } } pageInfo { hasNextPage endCursor }")}`,
        { after }
      );
      const page = answer.data?.knowledgeBase.tree;
      paths.push(...(page?.edges.map(({ node }) => node.path) ?? []));
      expect(page?.pageInfo.endCursor).toBe(page?.edges.at(-1)?.cursor);
      more = page?.pageInfo.hasNextPage ?? false;
      after = page?.pageInfo.endCursor ?? null;
    }
    expect(new Set(paths).size).toBe(11);
    expect(paths).toHaveLength(11);
  });

  it("carries the revision of the page, and nothing before it", async () => {
    const client = new Client(new FakeReader());
    const { data } = await client.ask(tree("", "activeContentRevision pageInfo { hasPreviousPage startCursor }"));
    expect(data).toEqual({
      knowledgeBase: {
        tree: { activeContentRevision: 17, pageInfo: { hasPreviousPage: false, startCursor: "c1" } }
      }
    });
  });

  it("invariant 8: answers first: 0 with an empty page and no call", async () => {
    const reader = new FakeReader();
    const { data, errors } = await new Client(reader).ask(`{ knowledgeBase(key: "handbook") {
      tree(first: 0, after: "c2") { edges { cursor } pageInfo { startCursor endCursor hasNextPage } }
      search(query: "note", first: 0) { edges { cursor } searchStatus graphSummary nextActions }
    } }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      knowledgeBase: {
        tree: { edges: [], pageInfo: { startCursor: null, endCursor: "c2", hasNextPage: true } },
        search: { edges: [], searchStatus: null, graphSummary: null, nextActions: null }
      }
    });
    expect(reader.calls).toEqual([]);
  });

  it.each([-1, 501, 2147483647])("invariant 8: refuses first: %i, naming it, without a call", async (first) => {
    const reader = new FakeReader();
    const { status, data, errors } = await new Client(reader).ask(tree(`(first: ${first})`, "edges { node { path } }"));
    expect(status).toBe(200);
    expect(data).toEqual({ knowledgeBase: null });
    expect(errors).toMatchObject([
      {
        path: ["knowledgeBase", "tree"],
        extensions: { code: "VALIDATION_ERROR", httpStatus: 422, details: { field: "first", limit: 500 } }
      }
    ]);
    expect(reader.calls).toEqual([]);
  });

  it("takes null and nothing at all for the default", async () => {
    const reader = new FakeReader();
    const client = new Client(reader);
    await client.ask(tree("(first: null, after: null)", "edges { cursor }"));
    await client.ask(tree("", "edges { cursor }"));
    expect(new Set(reader.calls)).toEqual(new Set(["tree   0+50"]));
  });

  it("lists the granted knowledge bases", async () => {
    const { data } = await new Client(new FakeReader()).ask(
      `{ knowledgeBases(first: 1) { edges { cursor node { key name knowledgeBaseId } } pageInfo { hasNextPage } } }`
    );
    expect(data).toEqual({
      knowledgeBases: {
        edges: [{ cursor: "c1", node: { key: "handbook", name: "Handbook", knowledgeBaseId: "knowledge-base-1" } }],
        pageInfo: { hasNextPage: false }
      }
    });
  });
});
