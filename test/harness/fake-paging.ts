/** Limits and cursors of the fake upstream, bound as the real one binds them. */
import { type FakeResponse, invalidCode, invalidCursor, invalidField } from "./fake-refusals.ts";

export type ListName = "list" | "tree" | "related" | "expand" | "search";
export type Limits = Readonly<Record<ListName, number>>;

export const MAXIMA: Limits = { list: 200, tree: 500, related: 200, expand: 200, search: 50 };
export const DEFAULTS: Limits = { list: 50, tree: 100, related: 50, expand: 50, search: 10 };

/** Thrown by an operation that refuses; the server sends what it carries. */
export class Refused extends Error {
  readonly response: FakeResponse;

  constructor(response: FakeResponse) {
    super("refused");
    this.response = response;
  }
}

/** A `limit` parameter; empty is absent, and anything that reads as a whole number counts. */
export function limitOf(list: ListName, raw: string | undefined, maxima: Limits, defaults: Limits): number {
  if (raw === undefined || raw.trim() === "") return defaults[list];
  const limit = Number(raw);
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxima[list]) return limit;
  throw new Refused(
    list === "search" ? invalidCode("INVALID_FILE_SEARCH_LIMIT") : invalidField("limit", "Pagination limit is invalid.")
  );
}

/** A cursor in the open: base64url JSON, which is why the gateway seals its own. */
export function encodeCursor(content: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** The content of a cursor whose `bound` members are as given. @throws Refused 422 for any other. */
export function decodeCursor(cursor: string, bound: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    throw new Refused(invalidCursor());
  }
  if (typeof content !== "object" || content === null) throw new Refused(invalidCursor());
  const members: Record<string, unknown> = { ...content };
  for (const [name, value] of Object.entries(bound)) {
    if (JSON.stringify(members[name]) !== JSON.stringify(value)) throw new Refused(invalidCursor());
  }
  return members;
}
