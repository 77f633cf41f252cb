import { describe, expect, it } from "vitest";
import { ask } from "./ask.ts";

const BASES = ["/agent/handbook", "/agent", "/openapi/v2/knowledge-bases/handbook"];

describe("invariant 9: a path segment is data, decoded exactly once", () => {
  it.each([
    ["a%2Fb", "a/b"],
    ["..%2F..%2Fother%2Ffiles%2Fx", "../../other/files/x"],
    ["%252e%252e", "%2e%2e"],
    ["x%3Flimit=1", "x?limit=1"],
    ["x%23y", "x#y"],
    ["x%0d%0ay", "x\r\ny"],
    ["%63ontent", "content"],
    ["%E7%BC%93", "\u7f13"],
    ["a+b", "a+b"]
  ])("%s is the id %j and no other route", async (segment, id) => {
    for (const base of BASES) {
      expect((await ask(`${base}/files/${segment}`)).reader.calls.at(-1)).toEqual({ method: "file", args: id });
      const content = await ask(`${base}/files/${segment}/content`);
      expect(content.reader.calls.at(-1)).toEqual({ method: "content", args: { fileId: id } });
      const related = await ask(`${base}/files/${segment}/related`);
      expect(related.reader.calls.at(-1)).toMatchObject({ method: "related", args: id });
    }
  });

  it("a reserved word in the place of an id goes to the reader, which refuses it", async () => {
    for (const base of BASES) {
      for (const word of ["content", "search"]) {
        const { reader } = await ask(`${base}/files/${word}/content`);
        expect(reader.calls.at(-1)).toEqual({ method: "content", args: { fileId: word } });
      }
    }
    const { reader } = await ask("/agent/handbook/files/search");
    expect(reader.calls.at(-1)).toEqual({ method: "file", args: "search" });
  });

  it("a knowledge base's key is decoded once too", async () => {
    expect((await ask("/agent/a%2Fb/tree")).reader.calls).toEqual([{ method: "knowledgeBase", args: "a/b" }]);
    const mirrored = await ask("/openapi/v2/knowledge-bases/a%252Fb/tree");
    expect(mirrored.reader.calls).toEqual([{ method: "knowledgeBase", args: "a%2Fb" }]);
  });

  it("a route's words are read as they are sent", async () => {
    for (const path of ["/agent/handbook/%66iles/file-1", "/agent/handbook/files%2Ffile-1", "/agent/handbook/tre%65"]) {
      const { status, reader } = await ask(path);
      expect([status, reader.calls]).toEqual([404, []]);
    }
  });

  it.each(["%zz", "%", "%c3", "%ff%fe"])(
    "%s cannot be decoded, and is refused before anything is read",
    async (segment) => {
      for (const base of BASES) {
        const { status, body, reader } = await ask(`${base}/files/${segment}`);
        expect(status).toBe(400);
        expect(body).toMatchObject({ error: { code: "INVALID_PATH" } });
        expect(reader.calls).toEqual([]);
      }
    }
  );

  it("an empty id is no route", async () => {
    for (const base of BASES) {
      const { status, reader } = await ask(`${base}/files//content`);
      expect([status, reader.calls]).toEqual([404, []]);
    }
  });
});
