import { describe, expect, test } from "vitest";
import { closeLinks } from "../../src/knowledge/links.ts";
import { markShared, printed } from "../../src/knowledge/print.ts";

const STATUS = "/openapi/v2/knowledge-bases/kb/source-files/f";
const file = (extra: object = {}, actions: object = {}) => ({
  file: {
    ...extra,
    path: "pages/a.md",
    readActions: { fileDetailById: "/d", sourceFileStatusById: STATUS, later: 1, relatedFilesById: null, ...actions }
  },
  content: `é "sourceFileStatusById":"${STATUS}" \u2028`
});

/** As the source does with an answer that came in these bytes. */
function arrived(raw: Buffer): { body: object; bytes: Buffer } {
  const body = JSON.parse(raw.toString()) as object;
  markShared(body, raw, closeLinks(body));
  return { body, bytes: printed(body) };
}

describe("an answer that goes on as it came", () => {
  test("has the upstream's bytes, its dead links closed", () => {
    const raw = Buffer.from(JSON.stringify(file()).replace('"path"', '"ratio":1.0,"path"'));
    const { body, bytes } = arrived(raw);
    expect(JSON.parse(bytes.toString())).toEqual(body);
    expect(bytes.toString()).toContain('"ratio":1.0');
    expect(bytes.toString()).toContain('"sourceFileStatusById":null,"later":null,"relatedFilesById":null');
    expect(bytes.toString()).toContain('"fileDetailById":"/d"');
  });

  test("is made once", () => {
    const { body, bytes } = arrived(Buffer.from(JSON.stringify(file())));
    expect(printed(body)).toBe(bytes);
  });

  test.each([
    [
      "a link's name stands elsewhere too",
      Buffer.from(JSON.stringify(file({ frontmatter: { sourceFileStatusById: STATUS } })))
    ],
    ["a link is spaced out", Buffer.from(JSON.stringify(file(), null, 1))],
    ["a link is escaped", Buffer.from(JSON.stringify(file()).replaceAll(STATUS, STATUS.replaceAll("/", "\\/")))],
    ["a name is given twice", Buffer.from(JSON.stringify(file()).replace('"later":1', '"later":2,"later":1'))],
    [
      "a link's value is written at more length",
      Buffer.from(JSON.stringify(file()).replace('"later":1', '"later":1.0'))
    ],
    [
      "a link's name is escaped, and stands elsewhere as it is",
      Buffer.from(
        JSON.stringify(file({ frontmatter: { lat_r: 1 } }))
          .replace("later", "l\\u0061ter")
          .replace("lat_r", "later")
      )
    ],
    [
      "a link is spaced out, and its name stands elsewhere without",
      Buffer.from(
        JSON.stringify(file({ frontmatter: { lat_r: 1 } }))
          .replace('"later":', '"later" :')
          .replace("lat_r", "later")
      )
    ],
    [
      "text is not UTF-8",
      Buffer.concat([Buffer.from(JSON.stringify(file()).slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')])
    ]
  ])("is printed anew where %s", (_, raw) => {
    const { body, bytes } = arrived(raw);
    expect(bytes.toString()).toBe(JSON.stringify(body));
    expect(bytes.toString()).toContain('"sourceFileStatusById":null');
  });
});

test("what was not marked is printed each time", () => {
  const body = { a: 1 };
  expect(printed(body).toString()).toBe('{"a":1}');
  expect(printed(body)).not.toBe(printed(body));
});
