/** Values for arguments and parameters: those that the documented JSON Schema allows, and what careless callers send. */
import fc from "fast-check";
import type { Words } from "./world.ts";

export type Arguments = Readonly<Record<string, unknown>>;

const DEFAULT_HITS = 10;

/** The part of JSON Schema that the documents use. */
export interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Arguments as they are documented: all that are required, and some of the others. */
export function soundArguments(
  schemas: Readonly<Record<string, ValueSchema>>,
  requiredKeys: readonly string[],
  words: Words
): fc.Arbitrary<Arguments> {
  const values = Object.entries(schemas).map(([name, schema]) => [name, soundValue(name, schema, words)] as const);
  return fc
    .record<Arguments>(Object.fromEntries(values), { requiredKeys: [...requiredKeys] })
    .map(withoutContradictions);
}

/** What no schema says: reranking's controls go with it alone, and it looks at no fewer hits than are asked for. */
function withoutContradictions({ rerankTopK, rerankScoreThreshold, ...rest }: Arguments): Arguments {
  if (rest.rerank !== true) return rest;
  const { limit = DEFAULT_HITS } = rest;
  return {
    ...rest,
    ...(rerankTopK === undefined ? {} : { rerankTopK: Math.max(Number(rerankTopK), Number(limit)) }),
    ...(rerankScoreThreshold === undefined ? {} : { rerankScoreThreshold })
  };
}

/**
 * A value that the schema allows and that names something that is there.
 * @throws Error for a kind of value that is new: what is sound of it must be decided here
 */
function soundValue(name: string, schema: ValueSchema, { sound }: Words): fc.Arbitrary<unknown> {
  const { type, enum: allowed, minimum: min = 0, maximum: max = 50 } = schema;
  if (allowed !== undefined) return fc.constantFrom(...allowed);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.integer({ min, max });
  if (type === "number") return fc.constantFrom(min, (min + max) / 2, max);
  const texts = sound[name];
  if (texts === undefined) throw new Error(`no sound value is known of ${name}`);
  return fc.constantFrom(...texts);
}
