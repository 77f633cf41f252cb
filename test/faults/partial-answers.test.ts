/** One answer of many reads, some of which fail: what is there arrives, and each failure stands at its own path. */
import { expect, test } from "vitest";
import type { ErrorCode } from "../../src/errors.ts";
import { fakeUpstream, notFoundAnswer, payloadTooLarge, serviceUnavailable } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

const handbook = {
  pages: Array.from({ length: 20 }, (_, index) => ({
    path: `pages/note-${String(index).padStart(2, "0")}.md`,
    content: `# Note ${index}\n`
  }))
};

interface PathError {
  readonly path: readonly (string | number)[];
  readonly extensions: { readonly code: ErrorCode };
}

const pathsOf = (errors: readonly PathError[]) =>
  errors.map(({ path, extensions }) => [path.join("."), extensions.code]);

test("invariant 3: of twenty files of which one is missing, one too large and one unavailable, seventeen arrive", async () => {
  await using upstream = await fakeUpstream({ knowledgeBases: [handbook] });
  await using gateway = await startGateway({ upstreams: { main: upstream } });
  const faults = [
    [3, notFoundAnswer()],
    [7, payloadTooLarge()],
    [11, serviceUnavailable()]
  ] as const;
  for (const [index, answer] of faults) {
    const id = upstream.fileId(handbook.pages[index]?.path ?? "");
    upstream.on(({ operation, fileId }) => operation === "getFileContentById" && fileId === id, answer);
  }
  const query = `query ($key: String!) { knowledgeBase(key: $key) {
    tree(parentPath: "pages", first: 50) { edges { node { path ... on File { content } } } }
  } }`;
  const { body } = await gateway.graphql(query, { key: upstream.knowledgeBase().id });
  const { edges } = body.data.knowledgeBase.tree;
  const notes = edges.filter(({ node }: { node: { path: string } }) => node.path.includes("note-"));
  expect(notes).toHaveLength(20);
  const at = (index: number) => {
    const row = edges.findIndex(({ node }: { node: { path: string } }) => node.path === handbook.pages[index]?.path);
    return `knowledgeBase.tree.edges.${row}.node.content`;
  };
  expect(pathsOf(body.errors).sort()).toEqual(
    [
      [at(3), "NOT_FOUND"],
      [at(7), "PAYLOAD_TOO_LARGE"],
      [at(11), "DATABASE_REPOSITORY_UNAVAILABLE"]
    ].sort()
  );
  const texts = notes.map(({ node }: { node: { content: string | null } }) => node.content);
  expect(texts).toEqual(handbook.pages.map(({ content }, index) => ([3, 7, 11].includes(index) ? null : content)));
});

test("invariant 3: under aliases one value and one error, and neither failure nor absence is remembered", async () => {
  await using upstream = await fakeUpstream({ knowledgeBases: [handbook] });
  await using gateway = await startGateway({ upstreams: { main: upstream } });
  const there = upstream.fileId("pages/note-01.md");
  const failing = upstream.fileId("pages/note-02.md");
  const missing = upstream.fileId("pages/note-99.md");
  upstream.on(({ fileId }) => fileId === failing, { status: 500 }, 1);
  const query = `query ($key: String!, $there: String!, $failing: String!, $missing: String!) { knowledgeBase(key: $key) {
    a: file(by: { fileId: $there }) { content }
    b: file(by: { fileId: $failing }) { content }
    c: file(by: { fileId: $missing }) { content path }
  } }`;
  const ask = () => gateway.graphql(query, { key: upstream.knowledgeBase().id, there, failing, missing });
  const first = (await ask()).body;
  expect(first.data.knowledgeBase).toEqual({ a: { content: "# Note 1\n" }, b: { content: null }, c: null });
  expect(pathsOf(first.errors)).toEqual([["knowledgeBase.b.content", "INTERNAL_ERROR"]]);

  const second = (await ask()).body;
  expect(second.errors).toBeUndefined();
  expect(second.data.knowledgeBase.b).toEqual({ content: "# Note 2\n" });
  expect(upstream.requests.filter(({ fileId }) => fileId === there)).toHaveLength(1);

  upstream.knowledgeBase().addPage({ path: "pages/note-99.md", content: "# Note 99\n" });
  const third = (await ask()).body;
  expect(third.data.knowledgeBase.c).toEqual({ content: "# Note 99\n", path: "pages/note-99.md" });
});
