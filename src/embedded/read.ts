/** Reads one Markdown file, or says why it is not served. */
import { readFile } from "node:fs/promises";
import type { FoundFile } from "./scan.ts";

export type ReadText = { readonly text: string } | { readonly reason: string } | null;

/**
 * @param limit the most bytes a file may have
 * @returns the text without a byte order mark, the reason why there is none, or null where the file is gone by now
 */
export async function readText(file: FoundFile, limit: number): Promise<ReadText> {
  if (file.size > limit) return { reason: `it has ${file.size} bytes, and the limit is ${limit}` };
  let bytes: Buffer;
  try {
    bytes = await readFile(file.absolute);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return code === "ENOENT" ? null : { reason: `it cannot be read (${String(code)})` };
  }
  // It may have grown since it was found.
  if (bytes.length > limit) return { reason: `it has ${bytes.length} bytes, and the limit is ${limit}` };
  const text = decode(bytes);
  if (text === null) return { reason: "it is not UTF-8" };
  if (text.trim() === "") return { reason: "it is empty" };
  return { text };
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
