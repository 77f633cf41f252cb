import { utimes } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Json, manyPages, Served } from "./folder.ts";

const HUB = {
  "kb/hub.md": "# Hub\n\n[a](a.md) [b](b.md) [c](c.md) lantern",
  "kb/a.md": "# A\n\nlantern",
  "kb/b.md": "# B\n\nlantern",
  "kb/c.md": "# C\n\nlantern"
};

describe("the revision", () => {
  test("starts at the number of files, and rises by one for each that is added, changed or removed", async () => {
    await using served = await Served.start(HUB);
    expect(await served.revision()).toBe(4);
    await served.folder.write({ "kb/d.md": "# D", "kb/e.md": "# E" });
    await served.upstream.refresh();
    expect(await served.revision()).toBe(6);
    await served.folder.write({ "kb/a.md": "# A, revised" });
    await served.folder.remove("kb/e.md");
    await served.upstream.refresh();
    expect(await served.revision()).toBe(8);
  });

  test("stays where a file was touched and not changed, and its content comes back", async () => {
    await using served = await Served.start(HUB);
    await utimes(served.folder.at("kb/a.md"), new Date(), new Date());
    await served.upstream.refresh();
    expect(await served.revision()).toBe(4);
    expect(await served.text("pages/a.md")).toContain("lantern");
  });

  test("does not move the dates of the knowledge base", async () => {
    await using served = await Served.start(HUB);
    const before = (await served.get("KB")).body.knowledgeBase;
    await served.folder.write({ "kb/d.md": "# D" });
    await served.upstream.refresh();
    const after = (await served.get("KB")).body.knowledgeBase;
    expect([after.createdAt, after.updatedAt]).toEqual([before.createdAt, before.updatedAt]);
  });

  test("a page counts its own changes", async () => {
    await using served = await Served.start(HUB);
    await served.folder.write({ "kb/a.md": "# A, revised" });
    await served.upstream.refresh();
    const { items } = (await served.get("KB/tree?parentPath=pages")).body;
    const counts = Object.fromEntries(
      items.map((item: { name: string; resourceRevision: number }) => [item.name, item.resourceRevision])
    );
    expect(counts).toMatchObject({ "a.md": 2, "b.md": 1, "index.md": null });
  });
});

describe("while a file is not what was read", () => {
  test.for(["changed", "removed"])("a %s page has no content, and is listed until the next revision", async (how) => {
    await using served = await Served.start(HUB);
    const { fileId } = await served.file("pages/a.md");
    if (how === "removed") await served.folder.remove("kb/a.md");
    else await served.folder.write({ "kb/a.md": "# A, revised" });
    for (const address of [`KB/files/${fileId}/content`, "KB/files/content?path=pages/a.md"]) {
      const { status, body } = await served.get(address);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect((await served.get(`KB/files/${fileId}`)).status).toBe(200);
    expect(await served.revision()).toBe(4);
    await served.upstream.refresh();
    const { status, body } = await served.get(`KB/files/${fileId}/content`);
    expect([status, body.content]).toEqual(how === "removed" ? [404, undefined] : [200, "# A, revised"]);
    expect(await served.revision()).toBe(5);
  });

  test("a removed page is gone from the tree, the search, the graph and the log's links", async () => {
    await using served = await Served.start(HUB);
    await served.folder.remove("kb/a.md");
    await served.upstream.refresh();
    const { items } = (await served.get("KB/tree?parentPath=pages")).body;
    expect(items.map((item: { path: string }) => item.path)).not.toContain("pages/a.md");
    expect((await served.search("lantern")).items.map((item: { path: string }) => item.path)).not.toContain(
      "pages/a.md"
    );
    expect((await served.get("KB/files/content?path=_graph/by-file/a.json")).status).toBe(404);
    expect((await served.get("KB/graph/overview")).body.summary).toEqual({
      readableFileCount: 3,
      relationshipCount: 2
    });
    expect(await served.text("log.md")).toContain("- Removed: A\n");
  });
});

describe("cursors over a change", () => {
  async function changed(served: Served, address: string) {
    const first = (await served.get(address)).body;
    await served.folder.write({ "kb/z.md": "# Z" });
    await served.upstream.refresh();
    const next = await served.get(`${address}&cursor=${encodeURIComponent(first.nextCursor)}`);
    return { first, next };
  }

  test("a tree's is refused", async () => {
    await using served = await Served.start(HUB);
    const { next } = await changed(served, "KB/tree?parentPath=pages&limit=2");
    expect([next.status, next.body.error.details]).toEqual([422, { field: "cursor" }]);
  });

  test("those of related files, an expansion and a search go on in the new revision", async () => {
    for (const address of [
      "KB/files/HUB/related?limit=2",
      "KB/graph/expand?fileId=HUB&limit=2",
      "KB/files/search?query=lantern&limit=2"
    ]) {
      await using served = await Served.start(HUB);
      const { fileId } = await served.file("pages/hub.md");
      const { first, next } = await changed(served, address.replace("HUB", fileId));
      expect([address, next.status]).toEqual([address, 200]);
      expect(next.body.activeContentRevision).toBe(first.activeContentRevision + 1);
      const ids = [first, next.body].flatMap((body) =>
        (body.items ?? body.relationships).map((row: { fileId: string }) => row.fileId)
      );
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe("knowledge bases", () => {
  test("each direct subfolder with Markdown in it is one, and so is an empty one", async () => {
    await using served = await Served.start({
      "One Shelf/deep/er/a.md": "# A",
      "two/b.md": "# B",
      "images/logo.png": "not Markdown",
      ".git/c.md": "# C",
      "node_modules/x/README.md": "# D",
      "loose.md": "# Loose"
    });
    expect(served.upstream.knowledgeBases.map(({ slug }) => slug).sort()).toEqual(["one-shelf", "two"]);
    expect(served.warnings).toEqual([{ file: "loose.md", reason: expect.stringContaining("subfolder") }]);
    await using empty = await Served.start({ "one/a.md": "# A" });
    await empty.folder.write({ "two/x": "" });
    await empty.folder.remove("two/x");
    await empty.upstream.refresh();
    expect(empty.upstream.knowledgeBases.map(({ slug }) => slug).sort()).toEqual(["one", "two"]);
    expect((await empty.get("KB:two/tree")).body).toEqual({ activeContentRevision: null, items: [], nextCursor: null });
  });

  test("a folder without subfolders that hold Markdown is one itself, and stays one", async () => {
    await using served = await Served.start({ "a.md": "# A", "images/logo.png": "" });
    expect(served.upstream.knowledgeBases).toHaveLength(1);
    await served.folder.write({ "guide/b.md": "# B" });
    await served.upstream.refresh();
    expect(served.upstream.knowledgeBases).toHaveLength(1);
    expect(await served.text("pages/guide/b.md")).toBe("# B");
  });

  test("are named by the frontmatter of their index or readme, else by their folder", async () => {
    await using served = await Served.start({
      "a/README.md": "---\ntitle: Handbook\ndescription: About us.\n---\n",
      "b/README.md": "# A heading is no name\n",
      "c/index.md": "---\ntitle: First\n---\n",
      "c/README.md": "---\ntitle: Second\n---\n"
    });
    const { items } = (await served.get("/openapi/v2/knowledge-bases")).body;
    const names = items.map(({ name, description }: { name: string; description: string }) => [name, description]);
    expect(names.sort()).toEqual(
      [
        ["First", null],
        ["Handbook", "About us."],
        ["b", null]
      ].sort()
    );
    expect(await served.text("index.md")).toBeDefined();
  });

  test("come and go with their folders", async () => {
    await using served = await Served.start({ "one/a.md": "# A", "two/b.md": "# B" });
    const id = served.id("two");
    await served.folder.remove("two");
    await served.folder.write({ "three/c.md": "# C" });
    await served.upstream.refresh();
    expect(served.upstream.knowledgeBases.map(({ slug }) => slug).sort()).toEqual(["one", "three"]);
    expect((await served.get(`/openapi/v2/knowledge-bases/${id}`)).status).toBe(404);
  });

  test("have the ids of their names and paths, wherever the folder lies", async () => {
    await using here = await Served.start(HUB);
    await using there = await Served.start(HUB);
    expect(here.id()).toBe(there.id());
    expect((await here.file("pages/a.md")).fileId).toBe((await there.file("pages/a.md")).fileId);
  });

  test("that lost their last page keep their generated files", async () => {
    await using served = await Served.start({ "kb/a.md": "# A" });
    await served.folder.remove("kb/a.md");
    await served.upstream.refresh();
    expect(await served.revision()).toBe(2);
    const { items } = (await served.get("KB/tree")).body;
    expect(items.map((item: { path: string }) => item.path)).toEqual(["_graph", "index.md", "log.md", "pages"]);
    expect((await served.get("KB/graph/overview")).body.availability).toBe("empty");
  });
});

test("a directory of more than a hundred rows is paged by path", async () => {
  await using served = await Served.start(manyPages("kb/many", 100));
  const first = (await served.get("KB/tree?parentPath=pages/many")).body;
  expect(first.items).toHaveLength(100);
  const rest = (await served.get(`KB/tree?parentPath=pages/many&cursor=${first.nextCursor}`)).body;
  expect([first.items[0].name, rest.items.map((item: Json) => item.name)]).toEqual(["index.md", ["page-099.md"]]);
  expect((await served.get("KB/tree?parentPath=pages/many&limit=500")).body.items).toHaveLength(101);
});
