/**
 * Entity tags, for callers who keep answers and ask whether they still hold. Source: RFC 9110, sections 8.8.3 and 13.1.2.
 *
 * A tag is of one caller's answer: made of who asked and of the bytes, so that another's never fits. It is weak, because
 * the same answer may be compressed or not.
 */
import { hash } from "node:crypto";

export interface Caller {
  readonly tenant: string;
  readonly subject: string;
}

/** @param contentType is a part of the answer too: one may be had in several forms */
export function entityTag({ tenant, subject }: Caller, contentType: string, body: Buffer): string {
  return `W/"${hash("sha256", JSON.stringify([tenant, subject, contentType, digestOf(body)]), "base64url")}"`;
}

/** Of bytes that are sent again and again, the digest is kept: bytes of an answer are never changed. */
const digests = new WeakMap<Buffer, string>();

function digestOf(body: Buffer): string {
  const known = digests.get(body);
  if (known !== undefined) return known;
  const digest = hash("sha256", body, "base64url");
  digests.set(body, digest);
  return digest;
}

/** @param condition the If-None-Match header */
export function isUnchanged(condition: string, tag: string): boolean {
  const opaque = tag.replace(/^W\//, "");
  return condition.trim() === "*" || condition.split(",").some((known) => known.trim().replace(/^W\//, "") === opaque);
}
