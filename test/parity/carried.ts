/** What every surface carries of a read's answer. */
import type { Read } from "./reads.ts";

type Json = ReturnType<typeof JSON.parse>;

/** What every surface carries of an answer. */
export interface Carried {
  /** The fields of each row, or of the one object. */
  readonly rows: readonly object[];
  readonly page: object;
  readonly hasMore: boolean;
}

export function carried({ rows, fields, pageFields = [] }: Read, body: Json): Carried {
  const all: Json[] = rows === null ? [body] : body[rows];
  return {
    rows: all.map((row) => picked(withGraphRef(row), fields)),
    page: picked(body, pageFields),
    hasMore: rows !== null && body.nextCursor !== null
  };
}

/** In whole answers a hit's graph file lies within its context. */
function withGraphRef(row: Json): Json {
  return { graphRef: row.graphContext?.graphRef, ...row };
}

function picked(source: Json, names: readonly string[]): object {
  return Object.fromEntries(
    names.map((name) => [name, name.split(".").reduce((at, part) => at?.[part], source) ?? null])
  );
}
