/** The proof is worth what its eyes are: what they must find, however it is wrapped. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { mark, marksIn } from "./marks.ts";
import { ANY, scan } from "./scan.ts";

const WORD = mark("name", 42);
const base64 = (data: string | Buffer) => Buffer.from(data).toString("base64");
const base64url = (data: string | Buffer) => Buffer.from(data).toString("base64url");
const found = (value: unknown) => scan(value, ANY).map((finding) => finding.found);

describe("a mark is found", () => {
  it.each([
    ["in a text", `pages/hr/${WORD}.md`],
    ["in another case", WORD.toUpperCase()],
    ["in a key", { [`x-${WORD}`]: 1 }],
    ["deep in an object", { a: [{ b: { c: `… ${WORD} …` } }] }],
    ["cut by highlighting", `<em>${WORD.slice(0, 4)}</em>${WORD.slice(4)}`],
    ["percent-encoded", `pages%2F${WORD.replace("m", "%6d")}`],
    ["in base64", base64(`["File","handbook","${WORD}"]`)],
    ["in base64url inside a sentence", `cursor ${base64url(`{"path":"pages/\u00e9/${WORD}.md"}`)} is refused`],
    ["in base64 twice", base64(base64(`pages/hr/${WORD}.md`))],
    ["deflated", base64url(deflateRawSync(`{"path":"pages/hr/${WORD}.md"}`))],
    ["in zlib's form", base64(deflateSync(`{"path":"pages/hr/${WORD}.md"}`))],
    ["in gzip's form", base64url(gzipSync(`{"path":"pages/hr/${WORD}.md"}`))],
    [
      "behind bytes that are no text",
      base64url(Buffer.concat([Buffer.from([0xff, 0x80]), Buffer.from(`pages/${WORD}.md`)]))
    ]
  ])("%s", (_, value) => {
    expect(found(value)).toContain(WORD);
  });

  it("as an id of the upstream's", () => {
    const id = "source-file-00000000-0000-4000-8000-000000000000";
    expect(found({ href: `/openapi/v2/files/${id}/content` })).toEqual([id]);
  });

  it("and nothing where there is none", () => {
    expect(found({ a: base64url(brotliCompressSync("nothing to see")), b: "mk", c: 5, d: null })).toEqual([]);
    expect(marksIn("mkn42z")).toEqual([]);
  });
});

describe("what opened it is told by where it stands", () => {
  it.each([
    [{ tree: { edges: [{ node: { path: WORD } }] } }, ["list_tree"]],
    [{ search: { edges: [{ node: { file: { path: WORD } } }] } }, ["search_files"]],
    [{ search: { edges: [{ node: { file: { content: WORD } } }] } }, ["read_file"]],
    [{ search: { graphContext: { relationships: [{ path: WORD }] } } }, ["expand_graph"]],
    [{ file: { related: { edges: [{ node: { file: { description: WORD } } }] } } }, ["read_related", "get_file"]],
    [{ node: { __typename: "Directory", path: WORD } }, ["list_tree"]]
  ])("%j", (value, operations) => {
    expect(scan(value, ANY)).toMatchObject([{ found: WORD, operations }]);
  });
});
