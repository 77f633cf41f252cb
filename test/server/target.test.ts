import { describe, expect, it } from "vitest";
import { parseTarget } from "../../src/server/target.ts";

const ACCEPTED: readonly (readonly [target: string, pathname: string, search: string])[] = [
  ["/", "/", ""],
  ["/graphql", "/graphql", ""],
  ["/agent/handbook/tree?parentPath=pages", "/agent/handbook/tree", "?parentPath=pages"],
  ["/agent/handbook/", "/agent/handbook/", ""],
  ["/agent/handbook/files/a%20b%23c%3Fd", "/agent/handbook/files/a%20b%23c%3Fd", ""],
  ["/agent/%E7%9F%A5%E8%AF%86/tree", "/agent/%E7%9F%A5%E8%AF%86/tree", ""],
  ["/agent/h/files/a..b", "/agent/h/files/a..b", ""],
  ["/agent/h/files/...", "/agent/h/files/...", ""],
  ["/agent/h/files/%252e%252e", "/agent/h/files/%252e%252e", ""],
  // What follows the question mark is data, not a path.
  ["/agent/h/search?query=../..%2f%5c//", "/agent/h/search", "?query=../..%2f%5c//"],
  ["/agent/h/search?query=%zz", "/agent/h/search", "?query=%zz"],
  ["/a??", "/a", "??"]
];

const REFUSED: readonly string[] = [
  "",
  "*",
  "graphql",
  "http://127.0.0.1:4000/graphql",
  "//evil.example/graphql",
  "/agent//tree",
  "/openapi/v2/../v2/health",
  "/openapi/v2/./health",
  "/agent/h/files/..",
  "/agent/h/files/.",
  "/agent/h/files/%2e%2e",
  "/agent/h/files/.%2E",
  "/agent/h/files/%2e",
  "/agent/h/files/a%2fb",
  "/agent/h/files/a%2Fb",
  "/agent/h/files/a%5cb",
  "/agent/h/files/a\\b",
  "/agent/h/files/a%00",
  "/agent/h/files/a%0d%0ab",
  "/agent/h/files/a%7f",
  "/agent/h/files/%zz",
  "/agent/h/files/%",
  "/agent/h/files/%e",
  // Not UTF-8, and half of a surrogate pair.
  "/agent/h/files/%ff",
  "/agent/h/files/%ed%a0%80",
  "/agent/h/files/a#b",
  "/agent/h/search?query=a#b",
  "/agent/h/files/a b",
  "/agent/h/files/\u00ff"
];

describe("the request target", () => {
  it.each(ACCEPTED)("invariant 9: %s is accepted as it stands", (target, pathname, search) => {
    expect(parseTarget(target)).toEqual({ pathname, search });
  });

  it.each(REFUSED)("invariant 9: %j is refused before it is read as a path", (target) => {
    expect(() => parseTarget(target)).toThrow(expect.objectContaining({ code: "INVALID_PATH" }));
  });

  it("invariant 9: what is accepted means the same to a URL parser", () => {
    for (const [target] of ACCEPTED) {
      const { pathname, search } = parseTarget(target);
      const url = new URL(`http://gateway${pathname}${search}`);
      expect([url.pathname, url.search]).toEqual([pathname, search]);
    }
  });

  it("reads bytes that were sent raw as UTF-8", () => {
    const raw = Buffer.from("/agent/h/search?query=知识 graph".replace(" ", "+"), "utf8").toString("latin1");
    const { search } = parseTarget(raw);
    expect(new URLSearchParams(search).get("query")).toBe("知识 graph");
  });
});
