import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { createAgent } from "../../src/agent/agent.ts";
import { openApiDocument } from "../../src/agent/openapi/document.ts";
import { responseOf, wholeOf } from "../harness/whole.ts";
import { ask } from "./ask.ts";
import { fakeReader } from "./fake-reader.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; description?: string; schema: Record<string, unknown> }[];
  readonly responses: Record<string, unknown>;
}

const document = openApiDocument({ version: packageJson.version }) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation }))
);

describe("the document", () => {
  it("is valid OpenAPI 3.1, and every reference in it leads somewhere", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g);
    for (const [, kind, name] of references) {
      expect(document.components[kind as "schemas" | "responses"]).toHaveProperty([name!]);
    }
  });

  it("names each operation once, and each parameter of its path", () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { path, parameters = [] } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const { description } of parameters) expect(description).toBeTruthy();
    }
  });

  it("publishes defaults and limits", () => {
    const limitOf = (path: string) =>
      document.paths[path]?.get?.parameters?.find(({ name }) => name === "limit")?.schema;
    const mirror = "/openapi/v2/knowledge-bases/{knowledgeBaseId}";
    const limits = { minimum: 1, type: "integer" };
    expect(limitOf("/agent/{kb}/tree")).toEqual({ ...limits, default: 50, maximum: 500 });
    expect(limitOf("/agent/{kb}/search")).toEqual({ ...limits, default: 10, maximum: 50 });
    expect(limitOf("/agent/{kb}/files/{fileId}/related")).toEqual({ ...limits, default: 20, maximum: 200 });
    expect(limitOf("/agent/{kb}/graph/expand")).toEqual({ ...limits, default: 50, maximum: 200 });
    expect(limitOf(`${mirror}/tree`)).toEqual({ ...limits, default: 100, maximum: 500 });
    expect(limitOf(`${mirror}/files/{fileId}/related`)).toEqual({ ...limits, default: 50, maximum: 200 });
  });

  it("is what schema/openapi.json holds", async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../../schema/openapi.json");
  });
});

describe("what is documented is served", () => {
  it.each(operations.map(({ method, path }) => [method.toUpperCase(), path]))("%s %s", async (method, path) => {
    const target = path.replace("{kb}", "handbook").replace("{knowledgeBaseId}", "handbook").replace("{fileId}", "f");
    const query = method === "GET" && !target.startsWith("/openapi/v2/") ? "?query=cache&fileId=f&path=index.md" : "";
    const args = { query: "cache", ...(path.endsWith("read_file") ? { path: "index.md" } : { fileId: "f" }) };
    const init = { method, headers: { "content-type": "application/json" } };
    const { status } = await ask(
      target + query,
      {},
      method === "POST" ? { ...init, body: JSON.stringify(args) } : init
    );
    expect(status).toBe(200);
  });

  it("with the gateway's address: the public one, or the one that was asked", async () => {
    const servers = async (publicUrl?: string) => {
      const agent = createAgent({ version: "1.2.3", publicUrl: () => publicUrl });
      const response = responseOf(
        await agent.handle(await wholeOf(new Request("http://127.0.0.1:4000/openapi.json")), fakeReader())
      );
      return (await response.json()) as { servers: unknown; info: { version: string } };
    };
    expect(await servers()).toMatchObject({ servers: [{ url: "http://127.0.0.1:4000" }], info: { version: "1.2.3" } });
    expect(await servers("https://example.com/k/")).toMatchObject({ servers: [{ url: "https://example.com/k" }] });
  });
});
