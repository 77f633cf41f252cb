/** The configuration's JSON Schema, for editors. */
import * as z from "zod";
import { GatewayConfigSchema } from "./schema.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What any string of the file may be instead of its value. */
const REFERENCE: JsonSchema = { type: "string", pattern: "\\$\\{(env|file):[^}]+\\}" };

/** @returns draft 2020-12, of the file as it is written: what has a default may be left out, secrets are references */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(GatewayConfigSchema, {
    io: "input",
    target: "draft-2020-12",
    override: ({ jsonSchema, path }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // What the file holds is a path; its operations stand there once it was read.
      if (path.at(-1) === "persistedManifest") namePath(jsonSchema);
      if (isConstrainedString(jsonSchema) && path.at(-1) !== "propertyNames") admitReferences(jsonSchema);
    }
  });
  return { $schema, title: "focowiki-gateway configuration", ...schema };
}

function isConstrainedString({ type, minLength, pattern, format, enum: values }: JsonSchema): boolean {
  return type === "string" && ((minLength ?? 0) > 1 || [pattern, format, values].some((bound) => bound !== undefined));
}

function namePath(schema: JsonSchema): void {
  for (const key of Object.keys(schema)) if (key !== "description") delete schema[key];
  schema.type = "string";
}

/** In place, as the override wants it; what explains the value to a reader stays outside. */
function admitReferences(schema: JsonSchema): void {
  const { description, default: standard, ...bounds } = schema;
  for (const key of Object.keys(bounds)) delete schema[key];
  schema.anyOf = [bounds, REFERENCE];
}
