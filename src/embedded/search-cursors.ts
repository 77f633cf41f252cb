/**
 * Searches under way. A search cursor is no place in a list but the name of what the server remembers: the question, its
 * hits, and how many were given. It lives for a while, may be used again, and with any `limit`.
 */
import { randomUUID } from "node:crypto";
import { invalidCursor } from "./refusals.ts";
import type { Hit } from "./retrieval.ts";

export interface SearchPlace {
  /** Everything that a cursor is bound to, in one text. */
  readonly question: string;
  readonly hits: readonly Hit[];
  /** Where the next page starts. */
  readonly offset: number;
}

/** The oldest give way. Pages of one search share its hits. */
const MAX_CURSORS = 1_000;

export class SearchCursors {
  private readonly held = new Map<string, SearchPlace & { readonly expiresAt: number }>();
  private readonly lifetimeMs: number;

  /** @param seconds how long a cursor lives */
  constructor(seconds: number) {
    this.lifetimeMs = seconds * 1_000;
  }

  issue(place: SearchPlace): string {
    const cursor = `search-cursor-${randomUUID()}`;
    this.held.set(cursor, { ...place, expiresAt: Date.now() + this.lifetimeMs });
    const [oldest] = this.held.keys();
    if (this.held.size > MAX_CURSORS && oldest !== undefined) this.held.delete(oldest);
    return cursor;
  }

  /** @throws GatewayError VALIDATION_ERROR with `details.field = "cursor"`: unknown, expired, or of another question */
  open(cursor: string, question: string): SearchPlace {
    const place = this.held.get(cursor);
    if (place === undefined || place.expiresAt <= Date.now() || place.question !== question) throw invalidCursor();
    return place;
  }
}
