/**
 * What is answered in which form and with which status, over HTTP: Accept × what happens. Source: GraphQL over HTTP,
 * "Response".
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream, serviceUnavailable } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";

const KB = "knowledge-base-matrix";
const JSON_TYPE = "application/json; charset=utf-8";
const GRAPHQL_TYPE = "application/graphql-response+json; charset=utf-8";
const PARTS = 'multipart/mixed; boundary="-"';
const EVENTS = "text/event-stream";

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await fakeUpstream({ knowledgeBases: [{ id: KB, pages: [{ path: "pages/a.md" }] }] });
  upstream.on("getGraphOverview", serviceUnavailable());
  gateway = await startGateway({
    upstreams: { main: upstream },
    tenants: { red: { grants: [{ upstream: "main" }] } },
    config: {
      graphql: { batchSize: 3, persistedOperations: "allow", persistedManifest: { who: "{ viewer { tenant } }" } }
    }
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const BODIES = {
  ok: { query: "{ viewer { tenant } }" },
  "ok by id": { documentId: "who" },
  partial: { query: `{ knowledgeBase(key: "${KB}") { key graphOverview { availability } } }` },
  validation: { query: "{ viewer { nobody } }" },
  syntax: { query: "{ viewer {" },
  variables: { query: "query ($f: Int!) { knowledgeBases(first: $f) { edges { cursor } } }" },
  limit: { query: `{ ${Array.from({ length: 31 }, (_, index) => `a${index}: __typename`).join(" ")} }` },
  "no query": { variables: {} },
  "unknown id": { documentId: "nobody" }
} as const;

type Case = keyof typeof BODIES | "authentication" | "media type";

/** HTTP statuses where the form is GraphQL's own, and where it is plain JSON. */
const STATUSES: Readonly<Record<Case, readonly [number, number]>> = {
  ok: [200, 200],
  "ok by id": [200, 200],
  partial: [200, 200],
  validation: [400, 200],
  syntax: [400, 200],
  variables: [400, 200],
  limit: [400, 400],
  "no query": [400, 200],
  "unknown id": [400, 200],
  authentication: [401, 401],
  "media type": [415, 415]
};

const FORMS: readonly (readonly [string | undefined, string])[] = [
  [undefined, JSON_TYPE],
  ["*/*", JSON_TYPE],
  ["application/*", JSON_TYPE],
  ["application/json", JSON_TYPE],
  ["application/json; charset=utf-8", JSON_TYPE],
  ["application/graphql-response+json", GRAPHQL_TYPE],
  ["application/graphql-response+json, application/json;q=0.9", GRAPHQL_TYPE],
  ["text/html, application/json;q=0.5", JSON_TYPE]
];

async function send(name: Case, accept: string | undefined) {
  const body = JSON.stringify(name in BODIES ? BODIES[name as keyof typeof BODIES] : BODIES.ok);
  const headers = {
    "content-type": name === "media type" ? "text/plain" : "application/json",
    authorization: name === "authentication" ? "Bearer nobody" : `Bearer ${gateway.token("red")}`,
    ...(accept === undefined ? {} : { accept })
  };
  const response = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

describe.each(FORMS)("Accept: %s", (accept, type) => {
  it.each(Object.keys(STATUSES) as Case[])("%s", async (name) => {
    const answer = await send(name, accept);
    const [own, plain] = STATUSES[name];
    expect([answer.status, answer.type]).toEqual([type === GRAPHQL_TYPE ? own : plain, type]);
    const { data, errors } = JSON.parse(answer.text);
    if (name.startsWith("ok"))
      expect({ data, errors }).toEqual({ data: { viewer: { tenant: "red" } }, errors: undefined });
    else expect(errors.length).toBeGreaterThan(0);
    if (name === "partial") {
      expect(data.knowledgeBase).toEqual({ key: KB, graphOverview: null });
      expect(errors[0].extensions.httpStatus).toBe(503);
    } else if (!name.startsWith("ok")) {
      expect(data).toBeUndefined();
      expect(errors[0].extensions).toMatchObject({ httpStatus: STATUSES[name][0], requestId: expect.any(String) });
    }
  });
});

describe("other forms", () => {
  it.each([
    ["multipart/mixed", PARTS],
    ["text/event-stream", EVENTS]
  ])("%s", async (accept, type) => {
    const { status, type: answered, text } = await send("ok", accept);
    expect([status, answered]).toEqual([200, type]);
    expect(text).toContain('{"data":{"viewer":{"tenant":"red"}}}');
  });

  it.each(["image/png", "text/html", "application/xml"])(
    "%s is none of them: 406 that says what there is",
    async (accept) => {
      const { status, type, text } = await send("ok", accept);
      expect([status, type]).toEqual([406, JSON_TYPE]);
      expect(JSON.parse(text).errors[0].extensions).toMatchObject({ code: "NOT_ACCEPTABLE", httpStatus: 406 });
    }
  );
});

describe("batches", () => {
  const batch = (operations: readonly object[], accept = "application/json") =>
    gateway.post("/graphql", operations, { token: gateway.token("red"), headers: { accept } });

  it.each(["application/json", "application/graphql-response+json"])("each answers for itself (%s)", async (accept) => {
    const { status, body } = await batch([BODIES.ok, BODIES.validation, BODIES.partial], accept);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { data: { viewer: { tenant: "red" } } },
      { errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] },
      { data: { knowledgeBase: { key: KB, graphOverview: null } }, errors: [{ extensions: { httpStatus: 503 } }] }
    ]);
    expect(body).toHaveLength(3);
  });

  it("take operations by id, and refuse one that is none alone", async () => {
    const { body } = await batch([BODIES["ok by id"], {}, BODIES.ok]);
    expect(body.map((one: { data?: object }) => one.data !== undefined)).toEqual([true, false, true]);
  });

  it("invariant 10: above their size are refused whole, and count against one bound", async () => {
    const { status, body } = await batch(Array.from({ length: 4 }, () => BODIES.ok));
    expect([status, body.errors[0].extensions.details]).toEqual([400, { limit: "batchSize", maximum: 3, actual: 4 }]);
  });

  it("show in the audit log read by read", async () => {
    await using audited = await startGateway({
      upstreams: { main: upstream },
      config: { graphql: { batchSize: 3 }, audit: { file: "-" } }
    });
    const query = `{ knowledgeBase(key: "${KB}") { tree { edges { cursor } } } }`;
    await audited.post("/graphql", [{ query }, { query }, { query: `{ knowledgeBase(key: "${KB}") { name } }` }]);
    expect(audited.audit.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["listKnowledgeBaseTree", "listKnowledgeBaseTree", "getKnowledgeBase"])
    );
  });
});
