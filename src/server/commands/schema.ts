/** `schema`: prints what the gateway publishes about itself. `npm run generate` keeps it under `schema/`. */

import { openApiDocument } from "../../agent/openapi/document.ts";
import { configJsonSchema } from "../../config/json-schema.ts";
import { printSdl, printSubgraphSdl } from "../../graphql/sdl.ts";
import { toolDefinitions, toolsDocument } from "../../tools/definitions.ts";
import { type Command, oneOf, required } from "./command.ts";
import { readVersion } from "./package.ts";

const SCHEMA_FORMATS = ["sdl", "subgraph", "openapi", "mcp", "tools", "config"] as const;
export type SchemaFormat = (typeof SCHEMA_FORMATS)[number];

/** The text of one format: `mcp` has the tools as MCP lists them, `tools` has them for every vendor, with a line end at its end. */
function schemaText(format: SchemaFormat): string {
  switch (format) {
    case "sdl":
      return `${printSdl().trimEnd()}\n`;
    case "subgraph":
      return printSubgraphSdl();
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
    terminal.out(schemaText(oneOf("--format", required(flags, "format"), SCHEMA_FORMATS)).trimEnd());
    return 0;
  }
};

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
