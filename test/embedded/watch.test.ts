/** Changes on disk, seen without being asked for. How soon is the machine's matter: these wait until it happens. */
import { describe, expect, test } from "vitest";
import { startEmbedded } from "../../src/embedded/embedded.ts";
import { type Files, type Json, Served } from "./folder.ts";

const START = { "kb/a.md": "# A", "kb/deep/b.md": "# B" };
const SOON = { timeout: 15_000, interval: 50 };

function watched(files: Files = START): Promise<Served> {
  return Served.start(files, { watch: true, debounceMs: 20 });
}

async function pages(served: Served, directory = "pages"): Promise<string[]> {
  const { items } = (await served.get(`KB/tree?parentPath=${directory}&entryType=file`)).body;
  return items.filter((item: Json) => item.fileKind === "page").map((item: Json) => item.name);
}

describe("a watched folder", () => {
  test("shows what is added, changed and removed", async () => {
    await using served = await watched();
    await served.folder.write({ "kb/c.md": "# C" });
    await expect.poll(() => pages(served), SOON).toEqual(["a.md", "c.md"]);
    await served.folder.write({ "kb/c.md": "# C, revised" });
    await expect.poll(() => served.text("pages/c.md"), SOON).toBe("# C, revised");
    await served.folder.remove("kb/a.md");
    await expect.poll(() => pages(served), SOON).toEqual(["c.md"]);
    expect(await served.revision()).toBe(5);
  });

  test("follows new directories, and what is written into them at once and later", async () => {
    await using served = await watched();
    await served.folder.write({ "kb/new/er/c.md": "# C", "kb/new/d.md": "# D" });
    await expect.poll(() => pages(served, "pages/new/er"), SOON).toEqual(["c.md"]);
    await served.folder.write({ "kb/new/er/e.md": "# E" });
    await expect.poll(() => pages(served, "pages/new/er"), SOON).toEqual(["c.md", "e.md"]);
    await expect.poll(() => served.revision(), SOON).toBe(5);
  });

  test("survives directories that are renamed, removed and made again", async () => {
    await using served = await watched();
    await served.folder.move("kb/deep", "kb/other");
    await expect.poll(() => pages(served, "pages/other"), SOON).toEqual(["b.md"]);
    expect(await pages(served, "pages/deep")).toEqual([]);
    await served.folder.remove("kb/other");
    await expect.poll(() => pages(served, "pages/other"), SOON).toEqual([]);
    await served.folder.write({ "kb/deep/c.md": "# C" });
    await expect.poll(() => pages(served, "pages/deep"), SOON).toEqual(["c.md"]);
  });

  test("shows a file that is replaced by renaming another over it, as editors do", async () => {
    await using served = await watched();
    await served.folder.write({ "kb/.a.md.swp": "# A, saved" });
    await served.folder.move("kb/.a.md.swp", "kb/a.md");
    await expect.poll(() => served.text("pages/a.md"), SOON).toBe("# A, saved");
    expect(await pages(served)).toEqual(["a.md"]);
  });

  test("takes in a burst of changes, and is not held off by one that does not end", async () => {
    await using served = await watched();
    let stop = false;
    const busy = (async () => {
      for (let index = 0; !stop; index += 1) {
        await served.folder.write({ "kb/busy.md": `# Busy ${index}` });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    await served.folder.write({ "kb/c.md": "# C" });
    await expect.poll(() => pages(served), SOON).toContain("c.md");
    stop = true;
    await busy;
  });

  test("serves a knowledge base that is new, and none whose folder is gone", async () => {
    await using served = await watched({ "one/a.md": "# A", "two/b.md": "# B" });
    const slugs = () => served.upstream.knowledgeBases.map(({ slug }) => slug).sort();
    await served.folder.write({ "three/c.md": "# C" });
    await expect.poll(slugs, SOON).toEqual(["one", "three", "two"]);
    await served.folder.remove("two");
    await expect.poll(slugs, SOON).toEqual(["one", "three"]);
  });

  test("that is removed whole leaves a listener that answers", async () => {
    await using served = await watched();
    await served.folder.remove(".");
    await expect.poll(() => served.upstream.knowledgeBases.length, SOON).toBe(0);
    expect((await served.get("/openapi/v2/health")).status).toBe(200);
  });
});

test("refreshes that are asked for at the same time share their scans, and see what was written before", async () => {
  await using served = await Served.start(START);
  const first = served.upstream.refresh();
  await served.folder.write({ "kb/c.md": "# C" });
  await Promise.all([first, served.upstream.refresh(), served.upstream.refresh()]);
  expect(await pages(served)).toEqual(["a.md", "c.md"]);
});

test("a folder that does not exist is refused at the start", async () => {
  await expect(startEmbedded({ folder: "/nowhere/at/all" })).rejects.toThrow(/ENOENT/);
});
