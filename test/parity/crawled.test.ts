/** Real answers of one knowledge base through every surface: what a real upstream says is the same on all of them. */
import { expect, it } from "vitest";
import {
  loadRecordings,
  RECORDED_KNOWLEDGE_BASE,
  RECORDINGS_ABSENT,
  type Recording,
  recordingsFolder,
  startReplay
} from "../harness/recordings.ts";
import { type Carried, carried } from "./carried.ts";
import { READS, type Read, type ReadName } from "./reads.ts";
import { overReplay } from "./replayed.ts";
import { type Args, errorOf, SURFACES } from "./surfaces.ts";

/** The last segments of each read's path, and the upstream's page size where none is asked for. */
const ROUTES: readonly (readonly [RegExp, ReadName, limit?: number])[] = [
  [/\/knowledge-bases$/, "knowledgeBases", 50],
  [/\/knowledge-bases\/[^/]+$/, "knowledgeBase"],
  [/\/tree$/, "tree", 100],
  [/\/files\/search$/, "search", 10],
  [/\/files\/content$/, "contentByPath"],
  [/\/files\/([^/]+)\/content$/, "contentById"],
  [/\/files\/([^/]+)\/related$/, "related", 50],
  [/\/files\/([^/]+)$/, "file"],
  [/\/graph\/expand$/, "expansion", 50],
  [/\/graph\/overview$/, "overview"]
];

interface Question {
  readonly name: ReadName;
  readonly args: Args;
}

function questionOf({ request }: Recording): Question {
  const { pathname, searchParams } = new URL(request.path, "http://upstream");
  for (const [pattern, name, limit] of ROUTES) {
    const found = pattern.exec(pathname);
    if (found === null) continue;
    const [, fileId] = found;
    const args = { ...Object.fromEntries(searchParams), ...(fileId && { fileId }), ...(limit && { limit }) };
    return { name, args: name === "knowledgeBases" ? args : { knowledgeBase: RECORDED_KNOWLEDGE_BASE, ...args } };
  }
  throw new Error(`no read has the path ${pathname}`);
}

/** All of the rarer reads, and of each of the others every so many. */
function sampled(recordings: readonly Recording[]): Recording[] {
  const seen = new Map<ReadName, number>();
  return recordings.filter((recording) => {
    const { name } = questionOf(recording);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count % STEPS[name] === 0;
  });
}

const STEPS: Readonly<Record<ReadName, number>> = {
  ...(Object.fromEntries(Object.keys(READS).map((name) => [name, 1])) as Record<ReadName, number>),
  tree: 8,
  file: 12,
  contentById: 12,
  contentByPath: 12,
  related: 3,
  expansion: 3
};

/** These answer for a model to read: of many long excerpts the longest are cut. */
const AS_TOOLS: readonly string[] = ["compact", "tool", "mcp"];

interface Excerpted {
  readonly sourceExcerpt?: string | null;
}

/** The whole answer, its excerpts cut where those of the other are. */
function cutAlike(whole: Carried, cut: Carried): Carried {
  const rows = whole.rows.map((row: Excerpted, index) => {
    const shown = (cut.rows[index] as Excerpted | undefined)?.sourceExcerpt ?? "";
    const isCut = shown.endsWith("…") && row.sourceExcerpt?.startsWith(shown.slice(0, -1));
    return isCut ? { ...row, sourceExcerpt: shown } : row;
  });
  return { ...whole, rows };
}

it("invariant 1: recorded answers are the same through every surface", { timeout: 120_000 }, async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  await using replay = await startReplay();
  await using rest = await overReplay(replay);
  const crawl = sampled(loadRecordings().filter(({ folder }) => folder === "crawl"));
  const different: string[] = [];
  let compared = 0;
  for (const recording of crawl) {
    const { name, args } = questionOf(recording);
    const read: Read = READS[name];
    let first: Carried | null = null;
    for (const surface of SURFACES) {
      const form = read.forms[surface];
      if (typeof form === "string") continue;
      const answer = await form.ask(rest.gateway, args, undefined);
      compared += 1;
      try {
        expect(errorOf(surface, form, answer)).toBeNull();
        const found = carried(read, form.body(answer));
        first ??= found;
        expect(found).toEqual(AS_TOOLS.includes(surface) ? cutAlike(first, found) : first);
      } catch (error) {
        different.push(`${recording.name} through ${surface}: ${(error as Error).message}`);
      }
    }
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(400);
});
