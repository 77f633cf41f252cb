/** A file's text in parts, for answers that must stay small. Source: docs/for-agents.md, MCP. */
import * as z from "zod";
import { invalid } from "../../errors.ts";
import { parseArguments } from "../../tools/arguments.ts";
import { optional } from "../../tools/fields.ts";

/** The argument by which read_file asks for a part. */
export const OFFSET_ARGUMENT = {
  offset: optional(
    z.int().min(0),
    "Characters (Unicode code points) to skip in a long file: nextOffset of the part before."
  )
};
const asked = z.object(OFFSET_ARGUMENT);

/** @throws VALIDATION_ERROR naming `offset` */
export function offsetOf(given: unknown): number | undefined {
  return parseArguments(asked, given).offset;
}

/** Offsets and the total count characters: Unicode code points. */
export interface Part {
  readonly content: string;
  readonly offset: number;
  /** Where the next part starts; null at the end. */
  readonly nextOffset: number | null;
  readonly totalCharacters: number;
}

/**
 * The part of a text that was asked for or that fits; null where nothing was asked and the whole fits.
 * @param maxBytes of UTF-8 a part has at most, but always one character
 * @throws VALIDATION_ERROR for an offset behind the end
 */
export function partOf(text: string, offset: number | undefined, maxBytes: number): Part | null {
  if (offset === undefined && Buffer.byteLength(text) <= maxBytes) return null;
  const totalCharacters = countCharacters(text);
  const from = offset ?? 0;
  if (from > totalCharacters) {
    const message = `offset must be at most ${totalCharacters}, the characters of the file. Leave it out to start again.`;
    throw invalid("offset", message, { limit: totalCharacters });
  }
  const start = indexOf(text, from);
  let end = start;
  let characters = 0;
  let bytes = 0;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    bytes += utf8Length(code);
    if (bytes > maxBytes && characters > 0) break;
    end += code > 0xffff ? 2 : 1;
    characters += 1;
  }
  const nextOffset = end < text.length ? from + characters : null;
  return { content: text.slice(start, end), offset: from, nextOffset, totalCharacters };
}

function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += unitsAt(text, index)) count += 1;
  return count;
}

/** The index of the code unit where the nth character starts. */
function indexOf(text: string, characters: number): number {
  let index = 0;
  for (let passed = 0; passed < characters; passed += 1) index += unitsAt(text, index);
  return index;
}

function unitsAt(text: string, index: number): 1 | 2 {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}
