import { hkdfSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { type CursorScope, createCursors, cursorError, type Position } from "../../src/knowledge/cursor.ts";
import { createSealer } from "../../src/knowledge/seal.ts";
import { loadRecordings, RECORDINGS_ABSENT, recordingsFolder } from "../harness/recordings.ts";

const cursors = createCursors(createSealer(["a secret for cursor tests"]));
const knowledgeBaseId = "knowledge-base-20a5b969-ea5e-44bb-be4c-774b0c07e2a9";
const scope: CursorScope = {
  tenant: "acme",
  knowledgeBaseId: `main:${knowledgeBaseId}`,
  operation: "listKnowledgeBaseTree",
  args: { parentPath: "pages", entryType: undefined, depth: 2, rerank: true }
};
const at = (page: string | null, parts: Partial<Position> = {}): Position => ({
  revision: 17,
  page,
  limit: null,
  offset: 0,
  checksum: null,
  end: false,
  ...parts
});

function refusal(token: string, other: CursorScope = scope, field = "after"): GatewayError {
  try {
    cursors.open(token, other, field);
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error("The cursor was opened.");
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value), "utf8").toString("base64url");
const hex = "fc9e2b8f3412cf7e5477fc890f57251c21dde77a2bfdbbcf2beda745c5682999";
/** The upstream's tree cursor after a row of this path. */
const treeCursor = (parentPath: string, logicalPath: string, activationRevision = 17) =>
  json({
    version: 1,
    scope: JSON.stringify({ knowledgeBaseId, activationRevision, parentPath, entryType: null, query: "" }),
    logicalPath,
    recordId: `directory-${hex}`
  });
const source = (id: string) => `source-file-${id}`;
const one = source("027c2d77-1468-4f66-8a68-b7e0a1cf683f");
const two = source("3fde2df6-ccc1-46d6-806c-3fe64b0a8077");
const usual: Readonly<Record<string, string | null>> = {
  "the first page": null,
  tree: treeCursor("pages/operations/on-call", "pages/operations/on-call/incident-response.md"),
  "tree root": treeCursor("", "pages"),
  related: json({ version: 3, knowledgeBaseId, sourceFileId: one, targetSourceFileId: two }),
  expand: json({ version: 1, knowledgeBaseId, sourceFileId: one, depth: 2, fanout: 10, offset: 40 }),
  search: "search-cursor-390c7886-88f6-4f1b-9e9f-7067ece910b7",
  "knowledge bases": json({
    kind: "knowledge_base",
    scope: "current:",
    normalizedPath: null,
    publicId: knowledgeBaseId
  })
};

describe("invariant 5: cursors", () => {
  const number = fc.option(fc.maxSafeNat());
  const page = fc.option(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.base64String({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
      fc.object().map(json),
      fc.constantFrom(...Object.values(usual).filter((cursor) => cursor !== null))
    )
  );
  const position = fc.record({
    revision: number,
    page,
    limit: number,
    offset: fc.maxSafeNat(),
    checksum: number,
    end: fc.boolean()
  });

  test("open to exactly the place that was sealed", () => {
    fc.assert(
      fc.property(position, (place) => {
        expect(cursors.open(cursors.seal(place, scope), scope, "after")).toEqual(place);
      }),
      { numRuns: 500 }
    );
  });

  test("are one for one place, and differ for two", () => {
    fc.assert(
      fc.property(position, position, (here, there) => {
        expect(cursors.seal({ ...here }, { ...scope })).toBe(cursors.seal(here, scope));
        const equal = JSON.stringify(here) === JSON.stringify(there);
        expect(cursors.seal(here, scope) === cursors.seal(there, scope)).toBe(equal);
      })
    );
  });

  test.each(["eyJhIjoxfQ==", "eyJhIjoxfR", "eyJh IjoxfQ", "eyJhIjoxfQ\n", "e30+", ""])(
    "keep an upstream cursor that only resembles base64url: %j",
    (page) => {
      expect(cursors.open(cursors.seal(at(page), scope), scope, "after").page).toBe(page);
    }
  );

  test("of one page in two questions open in each", () => {
    const other = { ...scope, args: { parentPath: "pages/operations/on-call" } };
    const page = treeCursor("pages/operations/on-call", "pages/operations/on-call/incident-response.md");
    for (const each of [scope, other, scope]) {
      expect(cursors.open(cursors.seal(at(page), each), each, "after")).toEqual(at(page));
    }
  });

  test("do not care for the order of arguments, nor for those that are left out", () => {
    const token = cursors.seal(at("p"), scope);
    const again = { ...scope, args: { rerank: true, depth: 2, okfStatus: null, parentPath: "pages" } };
    expect(cursors.open(token, again, "after")).toEqual(at("p"));
  });

  test.each<[string, CursorScope]>([
    ["another tenant", { ...scope, tenant: "other" }],
    ["another knowledge base", { ...scope, knowledgeBaseId: "main:knowledge-base-2" }],
    ["another upstream's", { ...scope, knowledgeBaseId: `spare:${knowledgeBaseId}` }],
    ["another operation", { ...scope, operation: "searchGeneratedFiles" }],
    ["another argument", { ...scope, args: { ...scope.args, parentPath: "pages/hr" } }],
    ["an argument more", { ...scope, args: { ...scope.args, entryType: "file" } }],
    ["an argument less", { ...scope, args: { parentPath: "pages", depth: 2 } }],
    ["a number as text", { ...scope, args: { ...scope.args, depth: "2" } }],
    ["names moved between arguments", { ...scope, args: { ...scope.args, parentPath: undefined, fileId: "pages" } }]
  ])("case 10: fit nothing else: %s", (_, other) => {
    expect(refusal(cursors.seal(at("p"), scope), other).details).toMatchObject({ reason: "INVALID" });
  });

  test.each(["null", "undefined", "", "x", "[object Object]", "A".repeat(10_240), treeCursor("pages", "pages/a.md")])(
    "case 26: %.20s is refused with the way out",
    (token) => {
      const error = refusal(token, scope, "after");
      expect(error.body()).toEqual({
        code: "VALIDATION_ERROR",
        httpStatus: 422,
        message: expect.stringMatching(/^"after" .*Leave after out to start again from the first page\.$/),
        details: { field: "cursor", reason: "INVALID", restart: true }
      });
    }
  );

  test("name the argument in the caller's words, and the reason", () => {
    expect(refusal("x", scope, "cursor").message).toContain('"cursor"');
    for (const reason of ["REVISION_CHANGED", "EXPIRED"] as const) {
      expect(cursorError(reason).details).toEqual({ field: "cursor", reason, restart: true });
    }
  });
});

describe("invariant 5: lengths and contents of cursors", () => {
  test("the usual ones are all of one length", () => {
    const lengths = Object.values(usual).flatMap((page) =>
      [0, 499].map((offset) => cursors.seal(at(page, { offset, limit: 500, checksum: 4_294_967_295 }), scope).length)
    );
    expect(new Set([...lengths, cursors.seal(at(null, { end: true }), scope).length])).toEqual(new Set([460]));
  });

  test("every cursor that was recorded of a real upstream", (context) => {
    context.skip(recordingsFolder() === null, RECORDINGS_ABSENT);
    const recorded = loadRecordings().flatMap(({ response: { body } }) =>
      typeof body === "object" && body !== null && "nextCursor" in body && body.nextCursor
        ? [String(body.nextCursor)]
        : []
    );
    expect(recorded.length).toBeGreaterThan(20);
    for (const page of recorded) {
      const token = cursors.seal(at(page), scope);
      expect(token.length).toBe(460);
      expect(cursors.open(token, scope, "after").page).toBe(page);
    }
  });

  const letters = "The quick brown fox jumps over 13 lazy dogs, (draft) [v2] & more";
  test.each<[string, (index: number) => string]>([
    ["words", (index) => letters[index % letters.length] ?? ""],
    ["random ASCII", (index) => String.fromCharCode(33 + ((index * 7919 + index ** 3) % 90))],
    ["quotes and backslashes", (index) => (index % 3 === 0 ? '"' : String.fromCharCode(97 + ((index * 31) % 26)))],
    ["Greek", (index) => String.fromCodePoint(0x370 + ((index * 7919 + index ** 3) % 900))],
    ["Chinese", (index) => String.fromCodePoint(0x4e00 + ((index * 7919 + index ** 3) % 20_000))],
    ["emoji", (index) => String.fromCodePoint(0x1f300 + ((index * 7919 + index ** 3) % 900))]
  ])("a tree cursor of a path of 200 bytes is as long as any: %s", (_, character) => {
    let path = "pages/";
    for (let index = 0; Buffer.byteLength(path + character(index)) <= 197; index += 1) path += character(index);
    path += ".md".padStart(200 - Buffer.byteLength(path), "x");
    expect(Buffer.byteLength(path)).toBe(200);
    const place = at(treeCursor("pages", path, 1_234_567), {
      revision: 1_234_567,
      offset: 499,
      limit: 500,
      checksum: 4_294_967_295
    });
    const token = cursors.seal(place, scope);
    expect(token.length).toBe(460);
    expect(token.length).toBeLessThanOrEqual(768);
    expect(cursors.open(token, scope, "after")).toEqual(place);
  });

  test("the longest path that a file system knows still fits", () => {
    const path = `pages/${Array.from({ length: 1018 }, (_, index) => letters[(index * 7919 + index ** 2) % 64]).join("")}`;
    const place = at(treeCursor("pages", path));
    expect(cursors.open(cursors.seal(place, scope), scope, "after")).toEqual(place);
  });

  test("hold no name of the row, neither plain nor decoded", () => {
    const token = cursors.seal(at(treeCursor("pages/hr", "pages/hr/salaries.md")), scope);
    for (const text of [token, Buffer.from(token, "base64url").toString("latin1")]) {
      for (const name of ["pages", "salar", "hr/", "directory", knowledgeBaseId.slice(15, 23), hex.slice(0, 8)]) {
        expect(text).not.toContain(name);
      }
    }
  });

  test("an upstream cursor that cannot be sealed is the upstream's fault", () => {
    const random = hkdfSync("sha256", "random", "", "", 8000);
    for (const page of [Buffer.from(random).toString("base64url"), "\ud800", "a".repeat(16_385)]) {
      expect(() => cursors.seal(at(page), scope)).toThrow(
        expect.objectContaining({ code: "UPSTREAM_INVALID_RESPONSE" })
      );
    }
  });
});
