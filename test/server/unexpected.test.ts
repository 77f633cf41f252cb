import { describe, expect, it } from "vitest";
import { describeUnexpected } from "../../src/server/unexpected.ts";

const SECRET = "http://10.1.2.3:8080/?key=secret";

describe("an error that nobody foresaw", () => {
  it("is logged with its place, and what caused it, outermost first", () => {
    const described = describeUnexpected(new TypeError("x is not a function", { cause: new RangeError("too far") }));
    expect(described).toMatchObject([
      { name: "TypeError", message: "x is not a function" },
      { name: "RangeError", message: "too far" }
    ]);
    expect(described[0]?.at[0]).toContain("unexpected.test.ts");
  });

  it("that is foreign is logged without its message, which may quote anything", () => {
    const foreign = Object.assign(new Error(`connect ECONNREFUSED ${SECRET}`), { code: "ECONNREFUSED" });
    const described = describeUnexpected(new TypeError("fetch failed", { cause: foreign }));
    expect(described[1]).toMatchObject({ name: "Error", code: "ECONNREFUSED" });
    expect(JSON.stringify(described)).not.toContain("10.1.2.3");
  });

  it.each([
    ["of JSON", () => JSON.parse(`{"${SECRET}`)],
    [
      "of several lines",
      () => {
        throw new Error(`first\n${SECRET}\n    at ${SECRET}:1:1`);
      }
    ]
  ])("%s does not show what it choked on", (_, fail) => {
    const thrown = (() => {
      try {
        return fail();
      } catch (error) {
        return error;
      }
    })();
    expect(JSON.stringify(describeUnexpected(thrown))).not.toContain("10.1.2.3");
  });

  it("need not be an error, and may cause itself", () => {
    expect(describeUnexpected(SECRET)).toEqual([{ name: "string", at: [] }]);
    const loop = new Error("a");
    loop.cause = loop;
    expect(describeUnexpected(loop)).toHaveLength(5);
  });
});
