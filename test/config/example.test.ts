import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../src/config/json-schema.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createAuthenticator } from "../../src/policy/authenticate.ts";
import { explain, renderExplanation } from "../../src/policy/explain.ts";
import { createAccess } from "../../src/policy/grants.ts";

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const env = {
  CURSOR_SECRET: "a-cursor-secret-of-32-characters",
  COMPANY_URL: "http://127.0.0.1:43200",
  COMPANY_API_KEY: "one",
  RESEARCH_URL: "http://127.0.0.1:43201",
  RESEARCH_API_KEY: "two",
  HANDBOOK_ID: "knowledge-base-1",
  STUDIES_ID: "knowledge-base-2"
};

const text = readFileSync(file("docs/configuration.md"), "utf8");

describe("examples/gateway.yaml", () => {
  const { config, warnings, locate } = loadConfig(file("examples/gateway.yaml"), env);

  it("is valid, without a warning", () => {
    expect(warnings).toEqual([]);
  });

  it("lets in the two keys that it names", async () => {
    const { authenticate } = createAuthenticator(config);
    expect(await authenticate("Bearer example-acme-bot")).toEqual({ tenant: "acme", subject: "support-bot" });
    expect(await authenticate("Bearer example-acme-admin")).toEqual({ tenant: "acme", subject: "admin-1" });
  });

  it("is explained as docs/configuration.md shows", () => {
    const question = { tenant: "acme", subject: "support-bot", knowledgeBase: "handbook", path: "pages/hr/pay.md" };
    const explanation = explain(config, { ...question, operation: "read_file" });
    expect(text).toContain(`\n${renderExplanation(explanation, locate)}\n`);
  });

  it("opens what docs/configuration.md says that it opens", () => {
    const keys = (tenant: string, subject: string) =>
      createAccess(config, { tenant, subject }).named.map(({ key }) => key);
    expect(keys("acme", "support-bot")).toEqual(["handbook"]);
    expect(keys("acme", "admin-1")).toEqual(["handbook", "studies"]);
    expect(createAccess(config, { tenant: "lab", subject: "anybody" }).wholeUpstreams).toEqual(["research"]);
    const outcome = (path: string) =>
      explain(config, { tenant: "acme", knowledgeBase: "handbook", path, operation: "read_file" }).operations[0]
        ?.outcome;
    expect(["pages/a.md", "pages/hr/pay.md", "index.md", "_graph/index.md"].map(outcome)).toEqual([
      "allowed",
      "denied",
      "allowed",
      "denied"
    ]);
  });
});

describe("docs/configuration.md", () => {
  it("has a row with the default of every key", () => {
    const missing = rowsOf(configJsonSchema()).filter(
      ({ key, standard }) =>
        !text.split("\n").some((line) => line.startsWith("|") && line.includes(`\`${key}\``) && line.includes(standard))
    );
    expect(missing).toEqual([]);
  });
});

/** Every key of the schema, with its default as a table shows it. */
function rowsOf(schema: unknown, found: { key: string; standard: string }[] = []) {
  if (typeof schema !== "object" || schema === null) return found;
  if ("properties" in schema && typeof schema.properties === "object" && schema.properties !== null) {
    for (const [key, property] of Object.entries(schema.properties)) {
      const standard: unknown = property.default;
      const shown = ["string", "number", "boolean"].includes(typeof standard) ? `\`${standard}\`` : "";
      found.push({ key, standard: shown });
    }
  }
  for (const part of Object.values(schema)) rowsOf(part, found);
  return found;
}
