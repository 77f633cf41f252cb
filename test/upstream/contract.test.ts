import { describe, expect, test } from "vitest";
import { misfit } from "../../src/upstream/fit.ts";
import { OPERATIONS, type Operation } from "../../src/upstream/operations.ts";
import { clientOf } from "../harness/fake-client.ts";
import { routeOf } from "../harness/fake-routes.ts";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { loadRecordings, RECORDINGS_ABSENT, recordingsFolder } from "../harness/recordings.ts";

describe.skipIf(recordingsFolder() === null)(`the recorded answers (${RECORDINGS_ABSENT} if skipped)`, () => {
  const answers = loadRecordings()
    .filter(({ request, response }) => request.method === "GET" && response.status === 200)
    .map((recording) => ({ ...recording, operation: routeOf(recording.request.path.split("?")[0] ?? "").operation }))
    .filter(({ operation }) => operation !== null);

  test("every operation of the table was recorded", () => {
    expect(new Set(answers.map(({ operation }) => operation))).toEqual(new Set(Object.keys(OPERATIONS)));
  });

  test("every answer fits its operation's contract, and loses nothing in it", () => {
    expect(answers.length).toBeGreaterThan(900);
    for (const { name, operation, response } of answers) {
      if (operation === null) continue;
      const parsed = OPERATIONS[operation].answer.safeParse(response.body);
      expect({ name, issues: parsed.error?.issues }).toEqual({ name, issues: undefined });
      expect(parsed.data, name).toStrictEqual(response.body);
    }
  });

  test("the compiled check and the contract agree, whatever is broken in an answer", () => {
    const seen = { fits: 0, misfits: 0 };
    // A few of each operation, with every member in turn put out of shape or taken away.
    for (const operation of Object.keys(OPERATIONS) as Operation[]) {
      for (const { name, response } of answers.filter((answer) => answer.operation === operation).slice(0, 3)) {
        for (const broken of brokenCopies(response.body)) {
          const fits = OPERATIONS[operation].answer.safeParse(broken.body).success;
          expect({ name, at: broken.at, fits: misfit(operation, broken.body) === null }).toEqual({
            name,
            at: broken.at,
            fits
          });
          seen[fits ? "fits" : "misfits"] += 1;
        }
      }
    }
    expect(seen.fits).toBeGreaterThan(500);
    expect(seen.misfits).toBeGreaterThan(500);
  });

  test("what the client hands on is byte for byte and member for member what came", async () => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    for (const name of ["search.default", "tree.page1", "files.content-unicode", "graph.expand-depth2"]) {
      const recording = answers.find((answer) => answer.name === name);
      if (!recording?.operation) throw new Error(`no recording ${name}`);
      const raw = JSON.stringify(recording.response.body);
      upstream.on(recording.operation, { raw }, 1);
      const ids = { knowledgeBaseId: "kb", fileId: "file" };
      const { body, bytes } = await client.read(recording.operation, { ids });
      expect([JSON.stringify(body), bytes.toString("utf8")]).toEqual([raw, raw]);
    }
  });
});

/** Answers that another release may give: fields that are missing, new, null, or of open sets. */
const DRIFTED = {
  searchGeneratedFiles: {
    activeContentRevision: 3,
    items: [
      {
        fileId: "a",
        path: "pages/a.md",
        graphContext: {
          relationships: [
            { fileId: "b", path: "pages/b.md", relationType: "invented", direction: "bidirectional", reason: null }
          ]
        }
      }
    ],
    nextCursor: null
  },
  listRelatedFiles: {
    activeContentRevision: 3,
    fileId: "a",
    items: [
      {
        fileId: "b",
        path: "pages/b.md",
        relationType: "new-kind",
        direction: "sideways",
        weight: 0.5,
        reason: null,
        extra: { kept: true }
      }
    ],
    nextCursor: null
  },
  expandGraph: { activeContentRevision: 3, seedFile: null, relationships: [], nextCursor: null },
  listKnowledgeBaseTree: {
    activeContentRevision: 3,
    items: [
      { id: "a", path: "pages/a.md", name: "a.md", parentPath: "pages", entryType: "file", fileKind: "hologram" }
    ],
    nextCursor: null
  }
} as const;

test.each(Object.keys(DRIFTED) as (keyof typeof DRIFTED)[])("%s of another release is read", async (operation) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on(operation, { body: DRIFTED[operation] });
  const { body } = await client.read(operation, { ids: { knowledgeBaseId: "kb", fileId: "a" } });
  expect(body).toEqual(DRIFTED[operation]);
});

test.each([
  ["getHealth", []],
  ["getHealth", null],
  ["getKnowledgeBase", { knowledgeBase: { knowledgeBaseId: "kb" } }],
  ["getFileById", { file: { fileId: "a", path: "pages/a.md", activeContentRevision: "7" } }],
  ["listKnowledgeBaseTree", { activeContentRevision: 1, items: [{ id: "a" }], nextCursor: null }],
  ["listRelatedFiles", { activeContentRevision: 1, fileId: "a", items: [] }]
] as const)("an answer to %s without what readers rely on is refused", async (operation, body) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on(operation, { body });
  await expect(client.read(operation, { ids: { knowledgeBaseId: "kb", fileId: "a" } })).rejects.toMatchObject({
    code: "UPSTREAM_INVALID_RESPONSE",
    answered: true
  });
  expect(upstream.count()).toBe(1);
});

const WRONG: readonly unknown[] = [null, "text", -1, 1.5, 2 ** 60, true, [], {}, ["text"], [null], undefined];

/** The body with each of its members, down to the second item of a list, replaced by each wrong value. */
function brokenCopies(body: unknown): { readonly at: string; readonly body: unknown }[] {
  return placesIn(body, []).flatMap((place) =>
    WRONG.map((value) => ({ at: `${place.join(".")} = ${JSON.stringify(value)}`, body: replaced(body, place, value) }))
  );
}

function placesIn(value: unknown, place: readonly string[]): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [place];
  const members = Object.entries(value).slice(0, Array.isArray(value) ? 2 : undefined);
  return [place, ...members.flatMap(([name, member]) => placesIn(member, [...place, name]))];
}

function replaced(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const copy: Record<string, unknown> = Array.isArray(body)
    ? (Object.assign([], body) as never)
    : { ...(body as object) };
  const member = replaced(copy[name], rest, value);
  if (member === undefined && !Array.isArray(copy)) delete copy[name];
  else copy[name] = member;
  return copy;
}
