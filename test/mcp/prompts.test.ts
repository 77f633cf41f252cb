/** The exploration rules, for hosts that offer prompts and for those that pass a server's instructions on. */
import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { type McpOver, mcpOver } from "./listening.ts";

const KB = "knowledge-base-00000000-0000-4000-8000-000000000001";
const OTHER = "knowledge-base-00000000-0000-4000-8000-000000000002";

let fake: FakeUpstream;
let mcp: McpOver;

beforeAll(async () => {
  fake = await fakeUpstream({
    knowledgeBases: [
      { id: KB, pages: [{ path: "pages/one.md" }] },
      { id: OTHER, pages: [] }
    ]
  });
  const grant = { knowledgeBases: ["handbook"] };
  mcp = await mcpOver(fake, {
    knowledgeBases: { handbook: { upstream: "main", id: KB } },
    tenants: {
      open: { grants: [grant] },
      closed: { grants: [{ ...grant, paths: { allow: ["pages/**"] } }] },
      mixed: {
        grants: [
          { ...grant, paths: { allow: ["pages/**"] } },
          { upstream: "main", knowledgeBases: [OTHER] }
        ]
      }
    }
  });
});
afterAll(async () => {
  expect(mcp.unexpected).toEqual([]);
  await mcp[Symbol.asyncDispose]();
  await fake.close();
});

async function textFor(tenant: string, path: string, args: Record<string, string> = {}): Promise<string> {
  const client = await mcp.client(path, tenant);
  const { messages }: GetPromptResult = await client.getPrompt({ name: "explore_knowledge", arguments: args });
  const [only, ...others] = messages;
  if (only?.content.type !== "text" || others.length > 0) throw new Error("not one text");
  return only.content.text;
}

/** A word or two of each rule that no other rule has. */
const RULES = [/hybrid/, /evidence/, /nextCursor/, /twice/, /graphRef/, /list_tree/, /^7\. Stop/m, /cite/];

describe("explore_knowledge", () => {
  it("carries all eight rules and the question", async () => {
    const text = await textFor("open", "/mcp/handbook", { question: "How long are logs kept?" });
    expect(text.match(/^\d\. /gm)).toHaveLength(8);
    for (const rule of RULES) expect(text).toMatch(rule);
    expect(text).toMatch(/index\.md and walk the directories/);
    expect(text.endsWith("Question: How long are logs kept?")).toBe(true);
  });

  it("sends no caller to an index that is closed to it", async () => {
    for (const path of ["/mcp", "/mcp/handbook", `/mcp/${KB}`]) {
      const text = await textFor("closed", path);
      expect(text, path).not.toContain("index.md");
      expect(text, path).toMatch(/^6\. .*list_tree/m);
      const client = await mcp.client(path, "closed");
      expect(client.getInstructions(), path).not.toContain("index.md");
    }
    expect(await textFor("mixed", "/mcp")).not.toContain("index.md");
    expect(await textFor("mixed", "/mcp", { knowledgeBase: OTHER })).toContain("index.md");
  });

  it("speaks of the knowledge base that was chosen", async () => {
    expect(await textFor("open", "/mcp", { knowledgeBase: "handbook" })).toContain("Send knowledgeBase: handbook");
    await expect(textFor("open", "/mcp", { knowledgeBase: "other" })).rejects.toMatchObject({
      data: { code: "NOT_FOUND" }
    });
  });

  it("is listed with its arguments, and alone", async () => {
    const names = async (path: string) => {
      const { prompts } = await (await mcp.client(path, "open")).listPrompts();
      return prompts.map((prompt) => [prompt.name, prompt.arguments?.map((argument) => argument.name)]);
    };
    expect(await names("/mcp")).toEqual([["explore_knowledge", ["question", "knowledgeBase"]]]);
    expect(await names("/mcp/handbook")).toEqual([["explore_knowledge", ["question"]]]);
    const client = await mcp.client("/mcp", "open");
    await expect(client.getPrompt({ name: "other" })).rejects.toMatchObject({ code: -32602 });
  });
});

describe("instructions", () => {
  it("carry the rules to hosts that offer no prompts", async () => {
    const bound = (await mcp.client("/mcp/handbook", "open")).getInstructions() ?? "";
    for (const rule of RULES) expect(bound).toMatch(rule);
    expect((await mcp.client("/mcp", "open")).getInstructions()).toContain("list_knowledge_bases");
  });

  it("cost no upstream call", async () => {
    fake.reset();
    await mcp.client("/mcp/handbook", "open");
    expect(fake.count()).toBe(0);
  });
});
