import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer } from "../../src/knowledge/seal.ts";

const OLD = "the secret of last year";
const NEW = "the secret of this year";
const sealer = createSealer([NEW]);
const plain = (text: string) => Buffer.from(text, "utf8");
const bytes = fc.uint8Array({ maxLength: 1000 });
const nonceOf = (token: string) => Buffer.from(token, "base64url").subarray(1, 13).toString("hex");
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("invariant 5: sealed tokens", () => {
  test("open to what was sealed, for the same binding alone", () => {
    fc.assert(
      fc.property(bytes, fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (sealed, binding, other) => {
        const token = sealer.seal(sealed, binding);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(Buffer.from(sealer.open(token, binding) ?? plain("none")).equals(Buffer.from(sealed))).toBe(true);
        if (other !== binding) expect(sealer.open(token, other)).toBeNull();
      })
    );
  });

  test("are the same for the same input, and different for any other", () => {
    fc.assert(
      fc.property(bytes, bytes, fc.string(), fc.string(), (one, two, here, there) => {
        expect(sealer.seal(one, here)).toBe(sealer.seal(one, here));
        const equal = Buffer.from(one).equals(Buffer.from(two));
        expect(nonceOf(sealer.seal(one, here)) === nonceOf(sealer.seal(two, here))).toBe(equal);
        expect(sealer.seal(one, here) === sealer.seal(one, there)).toBe(here === there);
      })
    );
    // What ends the binding cannot be taken for what begins the plaintext.
    const long = "p".repeat(500);
    expect(nonceOf(sealer.seal(plain(long), "x"))).not.toBe(
      nonceOf(sealer.seal(plain(long.slice(420)), `x${long.slice(0, 420)}`))
    );
  });

  test("are of one length up to 315 bytes, and of five lengths in all", () => {
    const lengths = Array.from({ length: 6112 }, (_, size) => sealer.seal(Buffer.alloc(size, 0x80), "b").length);
    expect([...new Set(lengths)]).toEqual([460, 1020, 2044, 4092, 8188]);
    expect(lengths[315]).toBe(460);
    expect(lengths[316]).toBe(1020);
    expect(() => sealer.seal(Buffer.alloc(6112), "b")).toThrow(RangeError);
  });

  test("hold no trace of what was sealed", () => {
    const secret = "pages/hr/salaries-of-the-board.md";
    const token = sealer.seal(plain(secret), "tenant");
    const decoded = Buffer.from(token, "base64url").toString("latin1");
    for (let at = 0; at + 4 <= secret.length; at += 1) {
      expect(decoded).not.toContain(secret.slice(at, at + 4));
      expect(token).not.toContain(Buffer.from(secret.slice(at, at + 4)).toString("base64url"));
    }
  });

  test("do not open with any one character changed, its last bits included", () => {
    const token = sealer.seal(plain("x"), "b");
    for (let at = 0; at < token.length; at += 1) {
      const next = ALPHABET[(ALPHABET.indexOf(token[at] ?? "") ^ 1) % 64];
      expect(sealer.open(token.slice(0, at) + next + token.slice(at + 1), "b")).toBeNull();
    }
  });

  test("case 10: junk of any size and kind does not open", () => {
    const token = sealer.seal(plain("x"), "b");
    const standard = token.replaceAll("-", "+").replaceAll("_", "/");
    const junk = [
      "",
      "null",
      "undefined",
      "A",
      "AQ",
      "AQAA",
      "A".repeat(10_240),
      "\ud800",
      "é".repeat(100),
      "AQ".repeat(300)
    ];
    const respelled = [
      `${token}=`,
      ` ${token}`,
      `${token}\n`,
      `${token}A`,
      token.slice(0, -1),
      token.slice(4),
      `${token}${token}`
    ];
    for (const each of [...junk, ...respelled]) expect(sealer.open(each, "b")).toBeNull();
    if (standard !== token) expect(sealer.open(standard, "b")).toBeNull();
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 6000 }), (any) => sealer.open(any, "b") === null));
  });
});

describe("key rotation", () => {
  test("the first secret seals, all open", () => {
    const before = createSealer([OLD]);
    const during = createSealer([NEW, OLD]);
    const after = createSealer([NEW]);
    const old = before.seal(plain("x"), "b");
    const fresh = during.seal(plain("x"), "b");
    expect(Buffer.from(during.open(old, "b") ?? "").toString()).toBe("x");
    expect(Buffer.from(during.open(fresh, "b") ?? "").toString()).toBe("x");
    expect(fresh).toBe(after.seal(plain("x"), "b"));
    expect(before.open(fresh, "b")).toBeNull();
    expect(after.open(old, "b")).toBeNull();
  });

  test("sealing without a secret is refused at once", () => {
    expect(() => createSealer([])).toThrow(RangeError);
  });
});
