/**
 * The gateway's cursors: a place in an upstream list, sealed for one tenant, knowledge base, operation and question.
 * Source: docs/invariants.md 5.
 */
import { GatewayError } from "../errors.ts";
import { createPacker, unpack } from "./compress.ts";
import { decodePosition, encodePosition, type Position } from "./position.ts";
import type { Sealer } from "./seal.ts";

export type { Position } from "./position.ts";

/** What a cursor is good for. */
export interface CursorScope {
  readonly tenant: string;
  /** Qualified by its upstream, since two upstreams may use one id. */
  readonly knowledgeBaseId: string;
  readonly operation: string;
  /** The question, without page and cursor. Order does not matter, and null is the same as left out. */
  readonly args: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/**
 * Why a cursor is refused. `INVALID`: not one of ours, or for another question. `REVISION_CHANGED`: the content was
 * published anew. `EXPIRED`: the upstream no longer gives the page that the cursor lies in.
 */
export type CursorReason = "INVALID" | "REVISION_CHANGED" | "EXPIRED";

export interface PositionCursors {
  /**
   * Equal positions in equal scopes give equal tokens.
   * @throws GatewayError UPSTREAM_INVALID_RESPONSE where the upstream's cursor is too long to be sealed
   */
  seal(position: Position, scope: CursorScope): string;
  /**
   * @param field the argument that holds the token, in the caller's words
   * @throws GatewayError VALIDATION_ERROR with `details {field: "cursor", reason: "INVALID", restart: true}`
   */
  open(token: string, scope: CursorScope, field: string): Position;
}

export interface Cursors extends PositionCursors {
  /** The same for a place that is not one position. Throws as `seal` does. */
  sealText(place: string, scope: CursorScope): string;
  /** Throws as `open` does. */
  openText(token: string, scope: CursorScope, field: string): string;
}

const REASONS: Readonly<Record<CursorReason, string>> = {
  INVALID: "is not a cursor of this question; a cursor serves only the arguments that it came with",
  REVISION_CHANGED: "belongs to an earlier revision; the content has changed since",
  EXPIRED: "has expired; the knowledge service no longer gives the page that it lies in"
};

export function createCursors(sealer: Sealer): Cursors {
  const pack = createPacker();
  const seal = (scope: CursorScope, encode: (binding: string) => Uint8Array) => {
    const binding = bindingOf(scope);
    try {
      return sealer.seal(encode(binding), binding);
    } catch (cause) {
      const message = "The knowledge service gave a cursor that is too long or is not text.";
      throw new GatewayError("UPSTREAM_INVALID_RESPONSE", { message, cause });
    }
  };
  const open = <T>(
    token: string,
    scope: CursorScope,
    field: string,
    decode: (plain: Uint8Array, binding: string) => T | null
  ): T => {
    const binding = bindingOf(scope);
    const plain = sealer.open(token, binding);
    const place = plain === null ? null : decode(plain, binding);
    if (place === null) throw cursorError("INVALID", field);
    return place;
  };
  return {
    seal: (position, scope) => seal(scope, (binding) => encodePosition(position, (page) => pack(page, binding))),
    open: (token, scope, field) => open(token, scope, field, decodePosition),
    sealText: (place, scope) => seal(scope, (binding) => pack(place, binding).bytes),
    openText: (token, scope, field) =>
      open(token, scope, field, (bytes, binding) => unpack({ decoded: false, bytes }, binding))
  };
}

/**
 * The refusal of a cursor, whatever the reason: VALIDATION_ERROR with `details {field: "cursor", reason, restart: true}`.
 * @param field the argument that holds the token, in the caller's words
 */
export function cursorError(reason: CursorReason, field = "cursor"): GatewayError {
  return restartError(reason, `"${field}" ${REASONS[reason]}. Leave ${field} out to start again from the first page.`);
}

/** The refusal of a list whose pages are overtaken by publications again and again, also where no cursor was given. */
export function movingError(): GatewayError {
  return restartError(
    "REVISION_CHANGED",
    "The content is being published faster than it can be listed. Start again from the first page in a moment."
  );
}

/** One spelling for equal scopes: names sorted, absent arguments dropped. JSON keeps text and numbers apart. */
function bindingOf({ tenant, knowledgeBaseId, operation, args }: CursorScope): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  return JSON.stringify([tenant, knowledgeBaseId, operation, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function restartError(reason: CursorReason, message: string): GatewayError {
  return new GatewayError("VALIDATION_ERROR", { message, details: { field: "cursor", reason, restart: true } });
}
