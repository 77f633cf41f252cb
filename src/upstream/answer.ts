/** From the bytes of a 200 to a parsed answer that fits the operation's contract. */
import { GatewayError } from "../errors.ts";
import type { Call, Exchange, Reply } from "./call.ts";
import type { Search } from "./contract.ts";
import { refusalFault, unreadable } from "./faults.ts";
import { misfit } from "./fit.ts";
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
  const why = misfit(call.operation, body);
  if (why !== null) throw unreadable(why);
  // The contract of this operation is Search, so what fits it is one.
  if (call.operation === "searchGeneratedFiles") refuseOutage(body as Search);
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
