/** The Skill's reference: how to call the tools over HTTP, for an agent without MCP. */
import * as z from "zod";
import type { Tool } from "../../tools/tool.ts";
import type { SkillOptions } from "./skill.ts";
import { toolsUrl } from "./urls.ts";

export function httpContract(options: SkillOptions): string {
  const { baseUrl, tools } = options;
  return `# HTTP contract

Base URL: ${baseUrl}

Every request needs \`Authorization: Bearer $FOCOWIKI_GATEWAY_KEY\`. Tools are posts of one JSON object to
\`${toolsUrl(options)}/{tool}\` with \`Content-Type: application/json\`; an argument that is left out or null has its
default. Answers are JSON.

${tools.map(describe).join("\n\n")}

## Links

\`readActions\` in answers are paths at the same gateway: put the base URL in front and send a GET with the same header.
They return the upstream's whole objects, which are longer than the tools' answers. A link that is null cannot be
followed.

## Pages

\`nextCursor\` is null on the last page. Else send it as \`cursor\`, with all other arguments unchanged. Cursors are opaque
and belong to one question and one \`activeContentRevision\`. A page may be empty and still have a \`nextCursor\`.

## Errors

\`\`\`json
{ "error": { "code": "RATE_LIMITED", "message": "…", "httpStatus": 429, "details": { "retryAfterSeconds": 15 } }, "requestId": "req-…" }
\`\`\`

| code | what to do |
| --- | --- |
| \`VALIDATION_ERROR\` | \`details.field\` names the argument. With \`details.restart\`, a cursor was refused: ask again without it. |
| \`NOT_FOUND\` | It does not exist, or is not yours to read. Do not guess other ids or paths. |
| \`FORBIDDEN\` | The operation is not granted. Go on without it. |
| \`CONFLICT\` | The file cannot do this; generated files have no relations. |
| \`PAYLOAD_TOO_LARGE\` | The file is too long to be read whole. Use another source. |
| \`RATE_LIMITED\`, \`OVERLOADED\`, \`SEARCH_OVERLOADED\` | Wait \`details.retryAfterSeconds\`, or a few seconds, and try once more. |
| \`SEARCH_UNAVAILABLE\`, \`SEARCH_TIMEOUT\` | Search is down, which is not the same as nothing found. Explore with list_tree. |
| \`UPSTREAM_…\`, \`INTERNAL_ERROR\` | Try once more; then say that the knowledge base could not be reached. |
`;
}

function describe(tool: Tool): string {
  const rows = Object.entries<z.ZodType>(tool.input.shape).map(
    ([name, type]) => `| \`${name}\` | ${valuesOf(type)} | ${presetOf(type)} | ${type.meta()?.description ?? ""} |`
  );
  return `## ${tool.name}

${tool.description}

| argument | values | default | meaning |
| --- | --- | --- | --- |
${rows.join("\n")}

Answer: ${Object.keys(tool.output.shape)
    .map((name) => `\`${name}\``)
    .join(", ")} and more.`;
}

function presetOf(type: z.ZodType): string {
  const preset = type.meta()?.default;
  if (preset !== undefined) return `\`${preset}\``;
  return type.isOptional() ? "none" : "required";
}

function valuesOf(type: z.ZodType): string {
  if (type instanceof z.ZodOptional) return valuesOf(type.unwrap() as z.ZodType);
  if (type instanceof z.ZodEnum) return type.options.map((option) => `\`${option}\``).join(", ");
  if (type instanceof z.ZodNumber) return `${type.minValue} to ${type.maxValue}`;
  return type instanceof z.ZodBoolean ? "`true`, `false`" : "text";
}
