/** Answers of the embedded upstream have the fields of the recorded ones, in their order. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation, OperationInput } from "../../src/upstream/operations.ts";
import { loadRecordings, RECORDINGS_ABSENT, recordingsFolder } from "../harness/recordings.ts";
import { startEmbeddedSample } from "./sample.ts";
import { ask, discoverWorld, type Json, type World } from "./world.ts";

const SAME: readonly [recording: string, Operation, (world: World) => OperationInput][] = [
  ["version.ok", "getVersion", () => ({})],
  ["knowledge-bases.page1", "listKnowledgeBases", () => ({ query: { limit: "2" } })],
  ["knowledge-bases.detail", "getKnowledgeBase", (world) => inside(world)],
  ["tree.root", "listKnowledgeBaseTree", (world) => inside(world)],
  [
    "tree.entry-directory",
    "listKnowledgeBaseTree",
    (world) => inside(world, { parentPath: "pages", entryType: "directory" })
  ],
  ["files.detail-okf-signals", "getFileById", (world) => inside(world, {}, world.seed.id)],
  ["files.content-generated-index", "getFileContentById", (world) => inside(world, {}, world.indexId)],
  ["related.edge-study", "listRelatedFiles", (world) => inside(world, {}, world.seed.id)],
  ["graph.expand-default", "expandGraph", (world) => inside(world, { fileId: world.seed.id })],
  ["graph.overview", "getGraphOverview", (world) => inside(world)],
  ["search.default", "searchGeneratedFiles", (world) => inside(world, { query: world.word })],
  ["search.mode-file", "searchGeneratedFiles", (world) => inside(world, { query: world.word, mode: "file" })],
  ["search.no-candidates", "searchGeneratedFiles", (world) => inside(world, { query: "zzqqxxyy" })],
  [
    "search.empty-kb",
    "searchGeneratedFiles",
    (world) => inside({ ...world, knowledgeBase: world.empty ?? "" }, { query: "cache" })
  ]
];

/** What a folder has none of: its value is null here, and may be so by the document. */
const NULL_HERE = ["sourceFileStatusById", "byDirectoryPath", "listRelationshipsByDirectory"];

describe.skipIf(recordingsFolder() === null)(
  `shapes of answers (needs the recordings; else: ${RECORDINGS_ABSENT})`,
  () => {
    let upstream: Awaited<ReturnType<typeof startEmbeddedSample>>;
    let world: World;

    beforeAll(async () => {
      upstream = await startEmbeddedSample();
      world = await discoverWorld("embedded", upstream.url, upstream.apiKey);
    });
    afterAll(() => upstream?.close());

    test.for(SAME)("%s", async ([name, operation, input]) => {
      const recorded = loadRecordings().find((recording) => recording.name === name);
      const { body } = await ask(world, operation, input(world));
      expect(shapeOf(body)).toBe(shapeOf(recorded?.response.body));
    });
  }
);

function inside(world: World, query: Record<string, string> = {}, fileId?: string): OperationInput {
  return { ids: { knowledgeBaseId: world.knowledgeBase, ...(fileId && { fileId }) }, query };
}

/** Field names in order, and kinds of values; of a list the first row stands for all, and null for what may be null. */
function shapeOf(value: Json, name = ""): string {
  if (NULL_HERE.includes(name)) return "text?";
  if (["frontmatter", "tags", "nextActions", "graphPaths", "completedFamilies", "degradedFamilies"].includes(name))
    return "open";
  if (["description", "okfType", "reason", "sourceExcerpt", "nextCursor", "safeCode"].includes(name)) return "text?";
  if (["isStale", "staleAfter", "generatedAt", "generatedAtSource", "latestVerifiedAt", "sourceCount"].includes(name))
    return "signal?";
  if (Array.isArray(value)) return `[${value.length === 0 ? "" : shapeOf(value[0])}]`;
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return `{${Object.entries(value)
    .map(([field, inner]) => `${field}:${shapeOf(inner, field)}`)
    .join(" ")}}`;
}
