import { type Tool as SdkTool, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { OPERATION_NAMES } from "../../src/knowledge/types.ts";
import { TOOLS } from "../../src/tools/call.ts";
import { DEFINITION_FORMATS, toolDefinitions, toolsDocument } from "../../src/tools/definitions.ts";

/** Room for list_knowledge_bases and a knowledgeBase argument, which MCP adds, is left below 9 KB. */
const MAX_BYTES = 7_600;

type Node = Record<string, unknown>;

function* nodes(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* nodes(inner);
}

const { mcp, openai, anthropic } = toolsDocument();

describe("input schemas survive clients that drop what they do not know", () => {
  it.each(mcp.map((tool) => [tool.name, tool] as const))("%s", (_, tool) => {
    const { inputSchema } = tool;
    expect(inputSchema.type).toBe("object");
    expect(Object.keys(inputSchema).filter((key) => !["type", "properties", "required"].includes(key))).toEqual([]);
    for (const node of nodes(inputSchema)) {
      for (const keyword of ["oneOf", "anyOf", "allOf", "$ref", "$defs", "const", "not"]) {
        expect(node).not.toHaveProperty([keyword]);
      }
      if ("type" in node) expect(typeof node.type === "string" || typeof node.type === "object").toBe(true);
      expect(Array.isArray(node.type)).toBe(false);
    }
    for (const property of Object.values(inputSchema.properties as Record<string, Node>)) {
      expect(property.description).toEqual(expect.stringMatching(/\.$/));
    }
  });
});

describe("output schemas", () => {
  it.each(mcp.map((tool) => [tool.name, tool] as const))(
    "%s compiles and admits fields it does not name",
    (_, tool) => {
      expect(() => new Ajv2020({ strict: true }).compile(tool.outputSchema)).not.toThrow();
      for (const node of nodes(tool.outputSchema)) {
        expect(node.additionalProperties).toBeUndefined();
        expect(Array.isArray(node.type)).toBe(false);
      }
    }
  );
});

describe("formats", () => {
  it("names the six operations in each, described alike", () => {
    const names = [...OPERATION_NAMES].sort();
    expect(mcp.map(({ name }) => name).sort()).toEqual(names);
    expect(openai.map((tool) => tool.function.name).sort()).toEqual(names);
    expect(anthropic.map(({ name }) => name).sort()).toEqual(names);
    expect(openai.map((tool) => tool.function.description)).toEqual(mcp.map(({ description }) => description));
    expect(anthropic.map((tool) => tool.input_schema)).toEqual(mcp.map(({ inputSchema }) => inputSchema));
  });

  it("is what the MCP SDK takes as a tool", () => {
    const tools: SdkTool[] = mcp;
    for (const tool of tools) {
      expect(ToolSchema.parse(tool)).toMatchObject({ name: tool.name, annotations: { readOnlyHint: true } });
      expect(tool.title).toBeTruthy();
    }
  });

  it("fits a model's budget", () => {
    expect(Buffer.byteLength(JSON.stringify(mcp))).toBeLessThanOrEqual(MAX_BYTES);
    expect(Buffer.byteLength(JSON.stringify(openai))).toBeLessThanOrEqual(MAX_BYTES);
    expect(Buffer.byteLength(JSON.stringify(anthropic))).toBeLessThanOrEqual(MAX_BYTES);
  });

  it("name the caller's page size where it is less than a list's own", () => {
    const limits = (pageSize: number) =>
      toolDefinitions("anthropic", TOOLS, pageSize).flatMap(({ input_schema }) => {
        const { limit } = input_schema.properties as { limit?: { maximum: number; default: number } };
        return limit === undefined ? [] : [[limit.maximum, limit.default]];
      });
    expect(limits(20)).toEqual([
      [20, 10],
      [20, 20],
      [20, 20],
      [20, 20]
    ]);
    expect(limits(500)).toEqual([
      [50, 10],
      [500, 50],
      [200, 20],
      [200, 50]
    ]);
  });

  it.each(["gemini", "", "constructor"])("refuses the format %j, naming those there are", (format) => {
    expect(() => toolDefinitions(format)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        details: { field: "format", allowedValues: DEFINITION_FORMATS }
      })
    );
  });
});

it("is what schema/tools.json holds", async () => {
  await expect(`${JSON.stringify(toolsDocument(), null, 2)}\n`).toMatchFileSnapshot("../../schema/tools.json");
});
