import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createAgent } from "../../src/agent/agent.ts";
import { skillFiles, skillName } from "../../src/agent/skill/skill.ts";
import { TOOLS } from "../../src/tools/call.ts";
import { explorationRules } from "../../src/tools/rules.ts";
import { responseOf, wholeOf } from "../harness/whole.ts";
import { type FakeOptions, fakeReader } from "./fake-reader.ts";

async function download(target: string, options: FakeOptions = {}, publicUrl?: string) {
  const agent = createAgent({ version: "1.2.3", publicUrl: () => publicUrl });
  const headers = { authorization: "Bearer fgw_secret" };
  const response = responseOf(
    await agent.handle(await wholeOf(new Request(`http://127.0.0.1:4000${target}`, { headers })), fakeReader(options))
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  const files = Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, text]) => [path, strFromU8(text)]));
  return { response, bytes, files, text: Object.values(files).join("\n") };
}

describe("GET /agent/{kb}/skill.zip", () => {
  it("is one folder with SKILL.md and its references", async () => {
    const { response, files } = await download("/agent/handbook/skill.zip");
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="read-handbook.zip"');
    const folder = "read-handbook/";
    expect(Object.keys(files)).toEqual([
      `${folder}SKILL.md`,
      `${folder}references/answer-style.md`,
      `${folder}references/exploration-rules.md`,
      `${folder}references/http-contract.md`
    ]);
    const links = files[`${folder}SKILL.md`]!.matchAll(/\]\(([^)]+)\)/g);
    for (const [, target] of links) expect(files).toHaveProperty([`${folder}${target}`]);
  });

  it("has the address filled in: the public one, or the one that was asked", async () => {
    const local = await download("/agent/handbook/skill.zip");
    expect(local.text).toContain("http://127.0.0.1:4000/agent/handbook/tools/search_files");
    const published = await download("/agent/skill.zip", {}, "https://knowledge.example.com/");
    expect(published.text).toContain("https://knowledge.example.com/agent/handbook/tools/search_files");
    expect(published.text).not.toContain("127.0.0.1");
  });

  it("holds no credential, and the same bytes each time", async () => {
    const [one, two] = [await download("/agent/handbook/skill.zip"), await download("/agent/handbook/skill.zip")];
    expect(one.text).not.toContain("fgw_secret");
    expect(one.bytes).toEqual(two.bytes);
  });

  it("tells of tools and of index.md only where the caller may use them", async () => {
    const { text } = await download("/agent/handbook/skill.zip", {
      pathRules: true,
      operations: ["search_files", "read_file", "list_tree"]
    });
    expect(text).not.toContain("index.md");
    expect(text).not.toContain("## expand_graph");
    expect(text).toContain("## list_tree");
  });
});

describe("SKILL.md", () => {
  const options = { baseUrl: "https://knowledge.example.com", key: "handbook", indexOpen: true, tools: TOOLS };

  it("carries the eight rules", () => {
    const text = skillFiles({ ...options, name: "Handbook" })["SKILL.md"];
    for (const rule of explorationRules({ indexOpen: true })) expect(text).toContain(rule);
  });

  it("keeps its frontmatter whole, whatever a knowledge base is called", () => {
    const name = 'A "base": with\n---\nname: other\t\u{1f4da} ';
    const text = skillFiles({ ...options, name, description: "d".repeat(5_000) })["SKILL.md"]!;
    const [, frontmatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const { name: skill, description } = parse(frontmatter) as Record<string, string>;
    expect(skill).toBe("read-handbook");
    expect(description!.length).toBeLessThanOrEqual(1_024);
    expect(description).toContain("A 'base': with --- name: other \u{1f4da}");
  });

  it("is named as the format allows, whatever the key", () => {
    for (const key of [
      "Hand.Book_2",
      "knowledge-base-20a5b969-ea5e-44bb-be4c-774b0c07e2a9",
      "缓存",
      "x".repeat(200),
      "--"
    ]) {
      expect(skillName(key)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(skillName(key).length).toBeLessThanOrEqual(64);
    }
  });

  it("is what examples/skill holds", async () => {
    const files = skillFiles({ ...options, name: "Handbook", description: "How we work, deploy and decide." });
    for (const [path, text] of Object.entries(files)) {
      await expect(text).toMatchFileSnapshot(`../../examples/skill/${path}`);
    }
  });
});
