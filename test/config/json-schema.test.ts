import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../src/config/json-schema.ts";

const published = fileURLToPath(new URL("../../schema/gateway-config.schema.json", import.meta.url));

describe("the configuration's JSON Schema", () => {
  it("is the one that is checked in", () => {
    expect(readFileSync(published, "utf8")).toBe(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
  });

  it("asks for nothing that has a default", () => {
    expect(configJsonSchema()).toMatchObject({ type: "object", required: ["upstreams"], additionalProperties: false });
  });

  it("admits a reference wherever a string has bounds, and names without one", () => {
    const text = JSON.stringify(configJsonSchema());
    expect(text).toContain(
      '"anyOf":[{"type":"string","format":"uri"},{"type":"string","pattern":"\\\\$\\\\{(env|file)'
    );
    expect(configJsonSchema()).toMatchObject({
      properties: { upstreams: { propertyNames: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" } } }
    });
  });
});
