/**
 * Entity tags, for callers who keep answers and ask whether they still hold. Source: RFC 9110, sections 8.8.3 and 13.1.2.
 *
 * A tag is of one caller's answer: made of who asked and of the bytes, so that another's never fits. It is weak, because
 * the same answer may be compressed or not.
 */
import { createHash } from "node:crypto";

export interface Caller {
  readonly tenant: string;
  readonly subject: string;
}

/** @param contentType is a part of the answer too: one may be had in several forms */
export function entityTag({ tenant, subject }: Caller, contentType: string, body: Buffer): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([tenant, subject, contentType]))
    .update(body)
    .digest("base64url");
  return `W/"${hash}"`;
}

/** @param condition the If-None-Match header */
export function isUnchanged(condition: string, tag: string): boolean {
  const opaque = tag.replace(/^W\//, "");
  return condition.trim() === "*" || condition.split(",").some((known) => known.trim().replace(/^W\//, "") === opaque);
}
