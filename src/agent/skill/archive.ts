import { strToU8, zipSync } from "fflate";

// Zip has no time zones: the same local date gives the same bytes everywhere.
const EPOCH = new Date(1980, 0, 1);

/** A zip archive with one folder; equal files give equal bytes. */
export function skillArchive(folder: string, files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([path, text]) => [`${folder}/${path}`, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries), { mtime: EPOCH, level: 6 }));
}
