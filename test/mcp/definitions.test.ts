/** What tools/list publishes, read as hosts read it that drop parts of JSON Schema. */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { type McpOver, mcpOver } from "./listening.ts";

const KB = "knowledge-base-00000000-0000-4000-8000-000000000001";
const DROPPED_BY_HOSTS = ["$ref", "$defs", "oneOf", "anyOf", "allOf", "not", "const", "if", "patternProperties"];

let fake: FakeUpstream;
let mcp: McpOver;
let tools: Tool[];

beforeAll(async () => {
  fake = await fakeUpstream({ knowledgeBases: [{ id: KB, pages: [{ path: "pages/one.md" }] }] });
  const grant = { knowledgeBases: ["handbook"] };
  mcp = await mcpOver(fake, {
    knowledgeBases: { handbook: { upstream: "main", id: KB } },
    tenants: {
      all: { grants: [grant] },
      reads: { grants: [{ ...grant, operations: ["search_files", "read_file"] }] }
    }
  });
  tools = (await (await mcp.client("/mcp", "all")).listTools()).tools;
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await fake.close();
});

/** Every schema within a schema, with the path to it. */
function* schemasIn(schema: object, at: string): Generator<[string, Record<string, unknown>]> {
  yield [at, schema as Record<string, unknown>];
  for (const [name, inner] of Object.entries(schema)) {
    if (name === "properties") {
      for (const [field, property] of Object.entries(inner)) yield* schemasIn(property as object, `${at}.${field}`);
    } else if (name === "items") yield* schemasIn(inner as object, `${at}[]`);
  }
}

describe("published tools", () => {
  it("are seven at /mcp, and the six at /mcp/{kb}", async () => {
    const six = ["search_files", "read_file", "list_tree", "get_file", "read_related", "expand_graph"];
    expect(tools.map((tool) => tool.name)).toEqual(["list_knowledge_bases", ...six]);
    const bound = await (await mcp.client("/mcp/handbook", "all")).listTools();
    expect(bound.tools.map((tool) => tool.name)).toEqual(six);
  });

  it("are only those that the caller's grants open", async () => {
    const bound = await (await mcp.client("/mcp/handbook", "reads")).listTools();
    expect(bound.tools.map((tool) => tool.name)).toEqual(["search_files", "read_file"]);
    const open = await (await mcp.client("/mcp", "reads")).listTools();
    expect(open.tools.map((tool) => tool.name)).toEqual(["list_knowledge_bases", "search_files", "read_file"]);
  });

  it("have titles, descriptions and the read-only hint", () => {
    for (const { name, title, description, annotations } of tools) {
      expect(title, name).toMatch(/^[A-Z].{5,}/);
      expect(description?.length, name).toBeGreaterThan(80);
      expect(annotations, name).toMatchObject({ readOnlyHint: true });
    }
  });

  it("have plain object schemas, with a description and one type for every argument", () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const root of [inputSchema, outputSchema]) expect(root?.type, name).toBe("object");
      for (const schema of [inputSchema, outputSchema]) {
        for (const [at, part] of schemasIn(schema ?? {}, name)) {
          for (const keyword of DROPPED_BY_HOSTS) expect(part, `${at} has ${keyword}`).not.toHaveProperty(keyword);
          expect(Array.isArray(part.type), `${at} has a list of types`).toBe(false);
          expect(part.additionalProperties, `${at} admits what it does not name`).toBeUndefined();
        }
      }
      for (const [argument, property] of Object.entries(inputSchema.properties ?? {})) {
        expect(property, `${name}.${argument}`).toMatchObject({
          type: expect.stringMatching(/^(?:string|integer|number|boolean)$/),
          description: expect.stringMatching(/.{10}/)
        });
      }
    }
  });

  it("ask for a knowledge base at /mcp only, and never require it", async () => {
    for (const { name, inputSchema } of tools.slice(1)) {
      expect(inputSchema.properties, name).toHaveProperty("knowledgeBase");
      expect(inputSchema.required ?? [], name).not.toContain("knowledgeBase");
    }
    const bound = await (await mcp.client("/mcp/handbook", "all")).listTools();
    for (const { inputSchema } of bound.tools) expect(inputSchema.properties).not.toHaveProperty("knowledgeBase");
  });

  it("are within 9 KB", () => {
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(9000);
  });
});
