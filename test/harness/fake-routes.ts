/** Which operation a path means, from the table that the gateway's client also reads. */
import { OPERATIONS, type Operation } from "../../src/upstream/operations.ts";

export interface Route {
  /** Null where the path is no read operation. */
  readonly operation: Operation | null;
  readonly knowledgeBaseId?: string;
  readonly fileId?: string;
}

const NAMES = Object.keys(OPERATIONS) as Operation[];
/** Written words win over ids, so that `/files/search` is the search and not a file's id. */
const ROUTES = NAMES.map((operation) => ({ operation, segments: OPERATIONS[operation].path.split("/") })).sort(
  (a, b) => parameters(a.segments) - parameters(b.segments)
);

/** @param path undecoded, without prefix and query. */
export function routeOf(path: string): Route {
  const segments = path.split("/");
  for (const route of ROUTES) {
    const ids = match(route.segments, segments);
    if (ids !== null) return { operation: route.operation, ...ids };
  }
  return { operation: null };
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const ids: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== segment) return null;
    } else {
      const id = decoded(segment);
      if (id === null || id === "" || id === "." || id === "..") return null;
      ids[part.slice(1, -1)] = id;
    }
  }
  return ids;
}

/** Null for a bad escape. */
export function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function parameters(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith("{")).length;
}
