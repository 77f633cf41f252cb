/** What answers cost a model, over the recorded upstream. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  RECORDED_KNOWLEDGE_BASE,
  RECORDINGS_ABSENT,
  type Replay,
  recordingsFolder,
  startReplay
} from "../harness/recordings.ts";
import { type McpOver, mcpOver, textOf } from "./listening.ts";

const absent = recordingsFolder() === null;
const QUESTION = "How do I monitor the deployment and escalate an incident?";
const KB = { handbook: { upstream: "main", id: RECORDED_KNOWLEDGE_BASE } };

describe.skipIf(absent)(`answers in bytes${absent ? `: ${RECORDINGS_ABSENT}` : ""}`, () => {
  let replay: Replay;
  let mcp: McpOver;

  beforeAll(async () => {
    replay = await startReplay();
    mcp = await mcpOver(replay, { knowledgeBases: KB });
  });
  afterAll(async () => {
    await mcp?.[Symbol.asyncDispose]();
    await replay?.close();
  });

  async function read(
    name: string,
    args: Record<string, unknown>
  ): Promise<{ text: number; items: number; fileId: string }> {
    const client = await mcp.client("/mcp/handbook");
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    expect(result.isError, textOf(result)).toBeUndefined();
    const { items = [] } = result.structuredContent as { items?: { fileId: string }[] };
    const text = Buffer.byteLength(textOf(result));
    const structured = Buffer.byteLength(JSON.stringify(result.structuredContent));
    console.log(`${name} ${JSON.stringify(args)}: ${items.length} items, text ${text} B, structured ${structured} B`);
    return { text, items: items.length, fileId: items[0]?.fileId ?? "" };
  }

  it("five hits are within 6 KB", async () => {
    const { items, text } = await read("search_files", { query: "cache" });
    expect(items).toBe(5);
    expect(text).toBeLessThanOrEqual(6000);
  });

  it("ten hits are within 11 KB", async () => {
    const { items, text } = await read("search_files", { query: QUESTION });
    expect(items).toBe(10);
    expect(text).toBeLessThanOrEqual(11_000);
  });

  it("other tools' answers are smaller than the upstream's", async () => {
    const { fileId } = await read("search_files", { query: QUESTION });
    expect((await read("list_tree", {})).text).toBeLessThan(1500);
    expect((await read("read_related", { fileId })).text).toBeLessThan(11_000);
    expect((await read("expand_graph", { fileId })).text).toBeLessThan(20_000);
    await read("get_file", { fileId });
    await read("read_file", { fileId });
  });
});
