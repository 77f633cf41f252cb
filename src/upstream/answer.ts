/** From the bytes of a 200 to a parsed answer that fits the operation's contract. */
import { GatewayError } from "../errors.ts";
import type { Call, Exchange, Reply } from "./call.ts";
import type { Search } from "./contract.ts";
import { refusalFault, unreadable } from "./faults.ts";
import { OPERATIONS } from "./operations.ts";
import { decodeUtf8 } from "./text.ts";
import { WireFailure } from "./wire-failure.ts";

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * What an exchange brought.
 * @throws GatewayError for every status but 200; UPSTREAM_INVALID_RESPONSE for a 200 that is not the contract's JSON;
 *   SEARCH_UNAVAILABLE for a search that failed and says so only in its evidence
 */
export function understand(call: Call, exchange: Exchange, now: number): Reply {
  const { status, bytes } = exchange;
  if (status !== 200) throw refusalFault(call, exchange, now);
  const type = exchange.headers["content-type"];
  if (type !== undefined && !JSON_TYPE.test(String(type))) throw unreadable("content type is not JSON");
  const body = parseJson(bytes);
  const checked = OPERATIONS[call.operation].answer.safeParse(body);
  if (!checked.success) throw unreadable(misfit(checked.error.issues));
  // The schema of this operation is Search, so what it accepted is one.
  if (call.operation === "searchGeneratedFiles") refuseOutage(checked.data as Search);
  // The parsed JSON and not zod's copy of it: the same values, in the upstream's order of members.
  return { body, bytes };
}

/**
 * Where every evidence family fails, the upstream answers an empty success. Only a page without items is refused: one
 * with items found something before the outage. Source: docs/invariants.md 3.
 */
function refuseOutage({ items, evidenceStatus }: Search): void {
  const degraded = evidenceStatus?.degradedFamilies?.length ?? 0;
  const completed = evidenceStatus?.completedFamilies?.length ?? 0;
  if (items.length > 0 || completed > 0 || degraded === 0) return;
  throw new GatewayError("SEARCH_UNAVAILABLE", {
    message: "Search is temporarily unavailable: no part of it answered. Retry after a short delay.",
    details: { reason: "ALL_EVIDENCE_DEGRADED" },
    answered: true,
    cause: new WireFailure("all evidence degraded")
  });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes));
  } catch {
    // The parser's message quotes what it read.
    throw unreadable("body is not JSON");
  }
}

/** Where an answer leaves the contract: field names and numbers only, no values. */
function misfit(
  issues: readonly { readonly code?: string | undefined; readonly path: readonly PropertyKey[] }[]
): string {
  const [issue] = issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === "number" ? "[]" : String(part)));
  const known = path.filter((part) => part === "[]" || /^[a-z][A-Za-z]{0,39}$/.test(part));
  return `body does not fit the contract: ${issue?.code ?? "unknown"} at ${known.join(".") || "its root"}`;
}
