/**
 * Every single check that stands between a caller and what is hidden from it, from `checks/*.yaml`, a table a room: the
 * text that makes it, what the code says without it, and the test that turns red then. `mutations.ts` takes them out, one
 * at a time.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";

/** A test file of this folder, without its ending. */
const Shower = z.enum([
  "properties",
  "twins",
  "equality",
  "paths",
  "generated-links",
  "operations",
  "authentication",
  "limits"
]);
export type Shower = z.infer<typeof Shower>;

const Change = z.strictObject({ text: z.string().min(1), without: z.string() });

const Rows = z.array(
  z.strictObject({
    /** What the check says. */
    says: z.string(),
    /** `text` stands in the file exactly once. */
    ...Change.shape,
    /** Where the same check is made a second time, on other grounds: taken out with the first. */
    again: Change.optional(),
    shownBy: Shower
  })
);
const Table = z.record(z.string(), Rows);

export type Check = z.infer<typeof Rows>[number] & { readonly file: string };

const FOLDER = new URL("./checks/", import.meta.url);

export const CHECKS: readonly Check[] = readdirSync(fileURLToPath(FOLDER)).flatMap((name) => {
  const table = Table.parse(parse(readFileSync(new URL(name, FOLDER), "utf8")));
  return Object.entries(table).flatMap(([file, rows]) => rows.map((row) => ({ ...row, file })));
});
