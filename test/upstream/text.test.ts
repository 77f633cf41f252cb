import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8 } from "../../src/upstream/text.ts";

test.each([
  ["nothing", []],
  ["ASCII", [0x61, 0x7f, 0x00]],
  ["a byte order mark", [0xef, 0xbb, 0xbf, 0x61]],
  ["two, three and four bytes", [...Buffer.from("é€😀")]],
  ["a byte that begins nothing", [0x61, 0xff, 0x62]],
  ["half a character at the end", [0x61, 0xe2, 0x82]],
  ["half of a pair", [0xed, 0xa0, 0x80]],
  ["an overlong form", [0xc0, 0xaf]],
  ["more than Unicode has", [0xf4, 0x90, 0x80, 0x80]]
])("%s reads as Node.js reads it", (_, bytes) => {
  const buffer = Buffer.from(bytes);
  expect(decodeUtf8(buffer)).toBe(buffer.toString("utf8"));
});

test("any text and any bytes read as Node.js reads them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => decodeUtf8(Buffer.from(text)) === Buffer.from(text).toString())
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeUtf8(Buffer.from(bytes)) === Buffer.from(bytes).toString()));
});
