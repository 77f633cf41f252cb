/** `schema`: prints what the gateway publishes about itself. `npm run generate` keeps it under `schema/`. */

import { openApiDocument } from "../../agent/openapi/document.ts";
import { configJsonSchema } from "../../config/json-schema.ts";
import { printSdl } from "../../graphql/sdl.ts";
import { subgraphSdl } from "../../graphql/subgraph.ts";
import { toolDefinitions, toolsDocument } from "../../tools/definitions.ts";
import { type Command, oneOf, required } from "./command.ts";
import { readVersion } from "./package.ts";

export const SCHEMA_FORMATS = ["sdl", "subgraph", "openapi", "mcp", "tools", "config"] as const;
export type SchemaFormat = (typeof SCHEMA_FORMATS)[number];

/** The text of one format: `mcp` has the tools as MCP lists them, `tools` has them for every vendor, with a line end at its end. */
export async function schemaText(format: SchemaFormat): Promise<string> {
  switch (format) {
    case "sdl":
      return `${printSdl().trimEnd()}\n`;
    case "subgraph":
      return await subgraphSdl();
    case "openapi":
      return jsonText(openApiDocument({ version: readVersion() }));
    case "mcp":
      return jsonText(toolDefinitions("mcp"));
    case "tools":
      return jsonText(toolsDocument());
    case "config":
      return jsonText(configJsonSchema());
  }
}

export const schema: Command = {
  usage: `schema --format ${SCHEMA_FORMATS.join("|")}`,
  summary:
    "Prints the GraphQL schema, the OpenAPI document, the tools' definitions, or the configuration's JSON Schema.",
  options: { format: { type: "string" } },
  async run(flags, terminal) {
    const text = await schemaText(oneOf("--format", required(flags, "format"), SCHEMA_FORMATS));
    terminal.out(text.trimEnd());
    return 0;
  }
};

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
