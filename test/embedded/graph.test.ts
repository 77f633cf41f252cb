/** How pages relate, and the files that tell of it. */
import { describe, expect, test } from "vitest";
import { type Json, manyPages, Served } from "./folder.ts";

const page = (title: string, tags: string[], ...links: string[]) =>
  `---\ntitle: ${title}\ntags: [${tags.join(", ")}]\n---\n\n${links.map((link) => `[x](${link})`).join(" ")}`;

const FILES = {
  "kb/seed.md": page(
    "Seed",
    ["Red"],
    "one.md",
    "two.md",
    "two.md#part",
    "seed.md",
    "missing.md",
    "https://example.org/"
  ),
  "kb/one.md": page("One", ["red"], "far.md"),
  "kb/two.md": page("Two", [], "seed.md"),
  "kb/far.md": page("Far", ["red", "blue"]),
  "kb/deep/blue.md": page("Blue", ["blue", "red", "red"]),
  "kb/alone.md": page("Alone", ["green"])
};

async function related(served: Served, path: string): Promise<string[]> {
  const { fileId } = await served.file(path);
  const { items } = (await served.get(`KB/files/${fileId}/related`)).body;
  return items.map((item: Json) => `${item.relationType} ${item.direction} ${item.title}`).sort();
}

describe("relations", () => {
  test("come from links, with a direction, and from shared tags, in any case; a link is the stronger", async () => {
    await using served = await Served.start(FILES);
    expect(await related(served, "pages/seed.md")).toEqual([
      "references bidirectional Two",
      "references outgoing One",
      "related bidirectional Blue",
      "related bidirectional Far"
    ]);
    expect(await related(served, "pages/one.md")).toEqual([
      "references incoming Seed",
      "references outgoing Far",
      "related bidirectional Blue"
    ]);
    expect(await related(served, "pages/alone.md")).toEqual([]);
  });

  test("are counted once for each pair", async () => {
    await using served = await Served.start(FILES);
    // seed–one, seed–two, one–far by links; seed–far, seed–blue, one–blue, far–blue by tags.
    expect((await served.get("KB/graph/overview")).body.summary).toEqual({
      readableFileCount: 6,
      relationshipCount: 7
    });
    expect(await served.text("index.md")).toContain("7 relations");
  });

  test("are not made by a tag that is everywhere", async () => {
    await using few = await Served.start(manyPages("kb/many", 50, (index) => page(`P${index}`, ["all"])));
    expect((await few.get("KB/graph/overview")).body.summary.relationshipCount).toBe((50 * 49) / 2);
    await using many = await Served.start(manyPages("kb/many", 51, (index) => page(`P${index}`, ["all"])));
    const overview = (await many.get("KB/graph/overview")).body;
    expect(overview).toMatchObject({ availability: "empty", resources: { byFilePath: null } });
    expect(overview.readActions.listRelationshipsByFile).toBeNull();
  });

  test("of a removed page go with it, and those of a link's late target come", async () => {
    await using served = await Served.start(FILES);
    await served.folder.remove("kb/two.md");
    await served.folder.write({ "kb/missing.md": "# Missing no more" });
    await served.upstream.refresh();
    expect(await related(served, "pages/seed.md")).toContain("references outgoing Missing no more");
    expect(await related(served, "pages/seed.md")).not.toContain("references bidirectional Two");
  });
});

describe("an expansion", () => {
  test("takes the strongest relations of each page, and does not go back to the seed", async () => {
    await using served = await Served.start(FILES);
    const { fileId } = await served.file("pages/seed.md");
    const rows = async (query: string) => {
      const { relationships } = (await served.get(`KB/graph/expand?fileId=${fileId}&${query}`)).body;
      return relationships.map((row: Json) => `${row.relationshipDepth} ${row.title}`);
    };
    expect(await rows("depth=1")).toEqual(["1 One", "1 Two", "1 Blue", "1 Far"]);
    expect(await rows("depth=1&fanout=2")).toEqual(["1 One", "1 Two"]);
    const second = (await rows("depth=2")).slice(4);
    expect(second).toContain("2 Far");
    expect(second).not.toContain("2 Seed");
    expect(await rows("depth=0")).toEqual([]);
  });

  test("of a page without relations is the page alone, and tells no graph file", async () => {
    await using served = await Served.start(FILES);
    const { fileId } = await served.file("pages/alone.md");
    const { body } = await served.get(`KB/graph/expand?fileId=${fileId}&depth=2`);
    expect(body).toMatchObject({ relationships: [], graphPaths: [], nextCursor: null });
  });

  test("is paged no further than a thousand rows: a cursor beyond is refused", async () => {
    await using served = await Served.start(FILES);
    const { fileId } = await served.file("pages/seed.md");
    const cursor = (offset: number) =>
      Buffer.from(
        JSON.stringify({ version: 1, knowledgeBaseId: served.id(), sourceFileId: fileId, depth: 1, fanout: 10, offset })
      ).toString("base64url");
    const status = async (offset: number) =>
      (await served.get(`KB/graph/expand?fileId=${fileId}&cursor=${cursor(offset)}`)).status;
    expect([await status(1), await status(1_000), await status(1_001), await status(-1)]).toEqual([200, 200, 422, 422]);
  });
});

describe("generated files", () => {
  test("tell the relations of each page that has any", async () => {
    await using served = await Served.start(FILES);
    const graph = JSON.parse(await served.text("_graph/by-file/deep/blue.json"));
    expect(graph).toMatchObject({ formatVersion: 2, path: "pages/deep/blue.md" });
    const told = graph.relationships.map((relation: Json) => [relation.targetPath, relation.weight, relation.reason]);
    expect(told).toEqual([
      ["pages/far.md", 0.5, "Both are tagged blue, red."],
      ["pages/one.md", 0.25, "Both are tagged red."],
      ["pages/seed.md", 0.25, "Both are tagged red."]
    ]);
    expect((await served.get("KB/files/content?path=_graph/by-file/alone.json")).status).toBe(404);
    expect((await served.file("_graph/by-file/deep/blue.json")).contentType).toBe("application/json; charset=utf-8");
  });

  test("name no page in the root's index and the graph's, which are shown where pages are hidden", async () => {
    await using served = await Served.start(FILES);
    for (const path of ["index.md", "_graph/index.md"]) {
      const text = await served.text(path);
      for (const name of ["Seed", "seed", "Blue", "blue", "deep"]) expect(text).not.toContain(name);
    }
  });

  test("lead through directories, by links that a reader can follow", async () => {
    await using served = await Served.start({
      "kb/a (1)/b & c.md": "# B & C",
      "kb/d.md": "---\ndescription: About D.\n---\n# D"
    });
    expect(await served.text("pages/index.md")).toBe(
      "# Pages\n\n[Up](../index.md)\n\n- [a (1)/](a%20%281%29/index.md)\n- [D](d.md): About D.\n"
    );
    expect(await served.text("pages/a (1)/index.md")).toContain("- [B & C](b%20%26%20c.md)");
  });

  test("give way to a folder's own index, which is a page like others", async () => {
    await using served = await Served.start({
      "kb/index.md": "# Mine\n\n[a](guide/)",
      "kb/guide/index.md": "# Guide",
      "kb/log.md": "# My log"
    });
    const { items } = (await served.get("KB/tree?parentPath=pages")).body;
    expect(items.map((item: Json) => [item.name, item.fileKind])).toEqual([
      ["guide", null],
      ["index.md", "page"],
      ["log.md", "page"]
    ]);
    expect(await served.text("pages/guide/index.md")).toBe("# Guide");
    expect(await related(served, "pages/index.md")).toEqual(["references outgoing Guide"]);
    expect((await served.get("KB/files/content?path=_graph/by-file/guide/index.json")).status).toBe(200);
  });

  test("are called what the upstream calls them, in a tree and alone", async () => {
    await using served = await Served.start(FILES);
    const { items } = (await served.get("KB/tree?entryType=file")).body;
    expect(items.map((item: Json) => [item.name, item.fileKind])).toEqual([
      ["index.md", "index"],
      ["log.md", "log"]
    ]);
    expect((await served.file("log.md")).fileKind).toBe("index");
    expect((await served.file("_graph/index.md")).fileKind).toBe("graph_index");
  });

  test("a page opens by its second id too, and answers with its first", async () => {
    await using served = await Served.start(FILES);
    const { fileId } = await served.file("pages/seed.md");
    const { generatedFileId } = await import("../../src/embedded/ids.ts");
    const { body } = await served.get(`KB/files/${generatedFileId(served.id(), "pages/seed.md")}`);
    expect(body.file.fileId).toBe(fileId);
  });
});

test("directories count what lies in them, made files included, and pages at any depth", async () => {
  await using served = await Served.start(FILES);
  const { items } = (await served.get("KB/tree")).body;
  const counts = Object.fromEntries(
    items
      .filter((item: Json) => item.entryType === "directory")
      .map((item: Json) => [
        item.path,
        [item.directDirectoryCount, item.directFileCount, item.descendantFileCount, item.resourceRevision]
      ])
  );
  expect(counts).toEqual({ _graph: [1, 1, 0, 0], pages: [1, 6, 6, 0] });
  const below = (await served.get("KB/tree?parentPath=pages&entryType=directory")).body.items;
  expect(below[0]).toMatchObject({
    path: "pages/deep",
    directEntryCount: 2,
    descendantFileCount: 1,
    resourceRevision: 1
  });
  expect(below[0].id).toBe(below[0].directoryId);
});
