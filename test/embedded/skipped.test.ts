import { execFileSync } from "node:child_process";
import { chmod, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { Folder, type Json, Served } from "./folder.ts";

const GOOD = { "kb/good.md": "# Good" };

async function pages(served: Served): Promise<string[]> {
  const { items } = (await served.get("KB/tree?parentPath=pages&entryType=file")).body;
  return items.filter((item: Json) => item.fileKind === "page").map((item: Json) => item.name);
}

test.for<[string, string | Uint8Array, RegExp]>([
  ["bytes that are not UTF-8", new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x41]), /not UTF-8/],
  ["nothing", "", /empty/],
  ["only white space", " \n\t\n", /empty/],
  ["more than the limit", "x".repeat(2_001), /2001 bytes, and the limit is 2000/]
])("a file with %s is skipped with one warning, however often it is seen", async ([, content, reason]) => {
  await using served = await Served.start({ ...GOOD, "kb/bad.md": content }, { contentBytes: 2_000 });
  await served.upstream.refresh();
  await served.upstream.refresh();
  expect(await pages(served)).toEqual(["good.md"]);
  expect(served.warnings).toEqual([{ file: "kb/bad.md", reason: expect.stringMatching(reason) }]);
  expect(await served.revision()).toBe(1);
});

test("a file that becomes readable is served, and one that ceases to be is withdrawn", async () => {
  await using served = await Served.start({ ...GOOD, "kb/late.md": "" });
  await served.folder.write({ "kb/late.md": "# Late", "kb/good.md": new Uint8Array([0xff]) });
  await served.upstream.refresh();
  expect(await pages(served)).toEqual(["late.md"]);
  expect(await served.revision()).toBe(3);
});

test("links are followed within the knowledge base, and nowhere else", async () => {
  await using outside = await Folder.make({ "secret.md": "# Secret", "more/deep.md": "# Deep" });
  await using served = await Served.start({ ...GOOD, "kb/real/page.md": "# Page", "other/b.md": "# B" });
  const link = (target: string, name: string) => symlink(target, served.folder.at(name));
  await link(outside.at("secret.md"), "kb/out.md");
  await link(outside.at("more"), "kb/away");
  await link("../other/b.md", "kb/neighbour.md");
  await link("real/page.md", "kb/within.md");
  await link("real", "kb/also");
  await link("..", "kb/real/loop");
  await link("nowhere.md", "kb/broken.md");
  await link(outside.path, "whole");
  await served.upstream.refresh();
  expect(await pages(served)).toEqual(["good.md", "within.md"].sort());
  expect((await served.get("KB:kb/files/content?path=pages/also/page.md")).body.content).toBe("# Page");
  expect(served.warnings.map(({ file }) => file).sort()).toEqual([
    "kb/away",
    "kb/broken.md",
    "kb/neighbour.md",
    "kb/out.md",
    "whole"
  ]);
  expect(served.upstream.knowledgeBases.map(({ slug }) => slug).sort()).toEqual(["kb", "other"]);
});

test("what is no regular file is skipped", async () => {
  await using served = await Served.start({ ...GOOD, "kb/folder.md/inner.md": "# Inner" });
  execFileSync("mkfifo", [served.folder.at("kb/pipe.md")]);
  await served.upstream.refresh();
  expect(served.warnings).toEqual([{ file: "kb/pipe.md", reason: "it is not a regular file" }]);
  expect((await served.get("KB/files/content?path=pages/folder.md/inner.md")).status).toBe(200);
  expect((await served.get("KB/tree?parentPath=pages/folder.md")).body.items).toHaveLength(2);
});

test.skipIf(process.getuid?.() === 0)("a file without permission is skipped, until it has it", async () => {
  await using served = await Served.start({ ...GOOD, "kb/closed.md": "# Closed" });
  await chmod(served.folder.at("kb/closed.md"), 0);
  await served.upstream.refresh();
  expect(served.warnings).toEqual([{ file: "kb/closed.md", reason: expect.stringContaining("EACCES") }]);
  await chmod(served.folder.at("kb/closed.md"), 0o644);
  await served.upstream.refresh();
  expect(await pages(served)).toEqual(["closed.md", "good.md"]);
});

test("names that no path may have are skipped; two that are one in Unicode are one", async () => {
  await using served = await Served.start({
    ...GOOD,
    "kb/back\\slash.md": "# A",
    "kb/line\nbreak.md": "# B",
    "kb/cafe\u0301.md": "# Decomposed",
    "kb/caf\u00e9.md": "# Composed",
    "kb/%2e%2e/up.md": "# C"
  });
  expect((await pages(served)).sort()).toEqual(["caf\u00e9.md", "good.md"]);
  expect(served.warnings).toHaveLength(4);
});

test.for<[string, string]>([
  ["is not YAML", "---\ntitle: [unclosed\n---\n# Heading\n"],
  ["is not a mapping", "---\n- a\n- b\n---\n# Heading\n"],
  [
    "multiplies its aliases",
    `---\na: &a [x,x]\n${Array.from({ length: 30 }, (_, i) => `${i === 0 ? "b0" : `b${i}`}: &b${i} [*${i === 0 ? "a" : `b${i - 1}`},*${i === 0 ? "a" : `b${i - 1}`}]`).join("\n")}\n---\n# Heading\n`
  ]
])("a page whose frontmatter %s is served as if it had none", async ([, content]) => {
  await using served = await Served.start({ "kb/page.md": content });
  const { body } = await served.get("KB/files/content?path=pages/page.md");
  expect(body.file).toMatchObject({ frontmatter: {}, tags: [] });
  expect(body.content).toBe(content);
  expect(served.warnings).toEqual([{ file: "kb/page.md", reason: expect.stringContaining("frontmatter") }]);
});

test.for([">".repeat(20_000), "[".repeat(20_000), "a**b".repeat(20_000), "![a](".repeat(10_000)])(
  "Markdown nested beyond reason is served all the same",
  async (content) => {
    await using served = await Served.start({ ...GOOD, "kb/deep.md": content });
    expect((await served.get("KB/files/content?path=pages/deep.md")).status).toBe(200);
  }
);

test("a byte order mark is dropped, and line ends are kept", async () => {
  await using served = await Served.start({ "kb/dos.md": "\uFEFF---\r\ntitle: From DOS\r\n---\r\n# Text\r\n" });
  const { body } = await served.get("KB/files/content?path=pages/dos.md");
  expect(body.content).toBe("---\r\ntitle: From DOS\r\n---\r\n# Text\r\n");
  expect(body.file).toMatchObject({ title: "From DOS", frontmatter: { title: "From DOS" } });
});
