/** The named schemas of the document, from the same zod schemas that check what goes in and out. */
import * as z from "zod";
import { ERRORS, type ErrorCode } from "../../errors.ts";
import * as answers from "../../knowledge/answers.ts";
import { TOOLS } from "../../tools/call.ts";
import { searchAll, searchSource } from "../../tools/search-all.ts";

const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** What every refusal looks like. Source: docs/invariants.md 4. */
const Refusal = z.object({
  error: z.object({
    code: z.enum(CODES),
    message: z.string().describe("For people. Programs go by code and details."),
    httpStatus: z.int().min(400).max(599),
    details: z
      .looseObject({
        field: z.string().optional().describe("The argument that was refused."),
        reason: z.string().optional(),
        allowedValues: z.array(z.string()).optional(),
        restart: z.boolean().optional().describe("True where a cursor was refused: ask again without it."),
        retryAfterSeconds: z.int().min(0).max(86_400).optional()
      })
      .optional()
  }),
  requestId: z.string()
});

export const ERROR_SCHEMA = "Error";

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(answers)) registry.add(schema, { id });
for (const tool of TOOLS) registry.add(tool.output, { id: `${pascal(tool.name)}Answer` });
registry.add(searchSource, { id: "SearchSource" });
registry.add(searchAll.output.whole, { id: "FederatedSearch" });
registry.add(searchAll.output.compact, { id: "FederatedSearchAnswer" });
registry.add(Refusal, { id: ERROR_SCHEMA });

export function reference(id: string): { $ref: string } {
  return { $ref: `#/components/schemas/${id}` };
}

/** All named schemas, which refer to each other. */
export function namedSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: (id) => reference(id).$ref });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, strip(schema)]));
}

/** A schema, by reference where it has a name. */
export function schemaOf(schema: z.ZodType): object {
  const named = registry.get(schema);
  if (named) return reference(named.id);
  if (schema instanceof z.ZodUnion) return { anyOf: schema.options.map((option) => schemaOf(option as z.ZodType)) };
  return strip(z.toJSONSchema(schema, { io: "input" }));
}

function strip({ $schema: _dialect, $id: _id, ...schema }: z.core.JSONSchema.BaseSchema): object {
  return schema;
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
