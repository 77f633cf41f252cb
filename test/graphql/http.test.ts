/** GraphQL over HTTP: what is read of a request, and in which form answers come. */
import { serverAudits } from "graphql-http";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { graphqlFailure } from "../../src/graphql/failure.ts";
import { Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";

const URL = "http://gateway.test/graphql";
const GRAPHQL_JSON = "application/graphql-response+json";

function post(body: BodyInit, headers: Record<string, string> = { "content-type": "application/json" }): Request {
  return new Request(URL, { method: "POST", body, headers });
}

describe.each(["short", "yoga"] as const)("the GraphQL over HTTP audits, the %s way", (way) => {
  const client = new Client(new FakeReader());
  const fetchFn = (url: string, init: RequestInit) => client.respond(new Request(url, init), way, new FakeReader());
  const audits = serverAudits({ url: URL, fetchFn });

  it("are the 61 that are known", () => {
    expect(audits).toHaveLength(61);
  });

  it.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))("%s", async (_, audit) => {
    expect(await audit.fn()).toMatchObject({ status: "ok" });
  });
});

describe("bodies", () => {
  it.each([
    ["text", "text/plain"],
    ["a form", "application/x-www-form-urlencoded"],
    ["a multipart form", "multipart/form-data; boundary=x"],
    ["GraphQL text", "application/graphql"],
    ["two types", "application/json, text/plain"],
    ["no type", ""]
  ])("of %s are refused with 415", async (_, type) => {
    const body = new Blob([JSON.stringify({ query: "{ viewer { tenant } }" })], type === "" ? {} : { type });
    const reader = new FakeReader();
    const { status, data, errors } = await new Client(reader).send(
      new Request(URL, { method: "POST", body, ...(type === "" ? {} : { headers: { "content-type": type } }) })
    );
    expect(status).toBe(415);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      { extensions: { code: "UNSUPPORTED_MEDIA_TYPE", httpStatus: 415, requestId: "req-test" } }
    ]);
  });

  it.each(["{", "", "[", '"text"', "null", "1", "[]", "\u0000"])(
    "that are not a JSON object (%j) are refused with 400",
    async (body) => {
      for (const accept of ["application/json", GRAPHQL_JSON]) {
        const { status, errors } = await new Client(new FakeReader()).send(
          post(body, { "content-type": "application/json", accept })
        );
        expect(status).toBe(400);
        expect(errors).toMatchObject([{ extensions: { code: "BAD_REQUEST", httpStatus: 400 } }]);
      }
    }
  );

  it("take the content type in any case, with a charset", async () => {
    const body = JSON.stringify({ query: "{ viewer { tenant } }" });
    for (const type of ["Application/JSON", "application/json;charset=utf-8", "application/json ; charset=UTF-8"]) {
      expect((await new Client(new FakeReader()).send(post(body, { "content-type": type }))).status).toBe(200);
    }
  });
});

describe("GET", () => {
  const get = (parameters: Record<string, string>) => new Request(`${URL}?${new URLSearchParams(parameters)}`);

  it("reads a query with variables", async () => {
    const { status, data } = await new Client(new FakeReader()).send(
      get({ query: "query ($k: String!) { knowledgeBase(key: $k) { name } }", variables: '{"k":"handbook"}' })
    );
    expect(status).toBe(200);
    expect(data).toEqual({ knowledgeBase: { name: "Handbook" } });
  });

  it("refuses variables that are not JSON, and has the same limits", async () => {
    const client = new Client(new FakeReader({ limits: { queryDepth: 1 } }));
    const broken = await client.send(get({ query: "{ viewer { tenant } }", variables: "{" }));
    expect([broken.status, broken.errors?.[0]?.extensions.code]).toEqual([400, "BAD_REQUEST"]);
    expect((await client.send(get({ query: "{ viewer { tenant } }" }))).status).toBe(400);
  });
});

describe("batches", () => {
  const query = `{ knowledgeBase(key: "handbook") { search(query: "note") { edges { node { score } } } } }`;
  const batch = (size: number) => post(JSON.stringify(Array.from({ length: size }, () => ({ query }))));

  it("are refused where they are off, even of one", async () => {
    const { status, errors } = await new Client(new FakeReader()).send(batch(1));
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, "BAD_REQUEST"]);
  });

  it("invariant 10: are refused above their size, whole", async () => {
    const reader = new FakeReader();
    const { status, errors } = await new Client(reader, { batchSize: 3 }).send(batch(100));
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      { extensions: { code: "QUERY_TOO_COMPLEX", details: { limit: "batchSize", maximum: 3, actual: 100 } } }
    ]);
    expect(reader.calls).toEqual([]);
  });

  it("invariant 10: share one bound on cost", async () => {
    const reader = new FakeReader({ limits: { queryComplexity: 80 } });
    const { text } = await new Client(reader, { batchSize: 10 }).send(batch(4));
    const answers = JSON.parse(text) as { data?: unknown; errors?: { extensions: { code: string } }[] }[];
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([
      undefined,
      undefined,
      "QUERY_TOO_COMPLEX",
      "QUERY_TOO_COMPLEX"
    ]);
  });
});

describe("refusals of a query", () => {
  it.each([
    ["{ viewer {", "GRAPHQL_PARSE_FAILED"],
    ["{ viewer { nobody } }", "GRAPHQL_VALIDATION_FAILED"],
    ["query A { __typename } query B { __typename }", "OPERATION_RESOLUTION_FAILURE"],
    ["mutation { __typename }", "BAD_REQUEST"],
    [`{ knowledgeBase(key: "a") { file(by: { fileId: "a", path: "b" }) { id } } }`, "GRAPHQL_VALIDATION_FAILED"],
    ["query ($f: Int!) { knowledgeBases(first: $f) { edges { cursor } } }", "BAD_USER_INPUT"]
  ])("keep GraphQL's words: %s is %s", async (query, code) => {
    const { status, data, errors } = await new Client(new FakeReader()).ask(query, {}, { accept: GRAPHQL_JSON });
    expect(status).toBe(400);
    expect(data).toBeUndefined();
    expect(errors?.[0]?.extensions).toEqual({ code, httpStatus: 400, requestId: "req-test" });
  });

  it("do not help to learn a schema that is not to be learned", async () => {
    const client = new Client(new FakeReader(), { introspection: false });
    for (const query of [
      "{ viewer { tennant } }",
      "{ viewr { tenant } }",
      "fragment F on Vewer { tenant } { viewer { ...F } }"
    ]) {
      const { text, errors } = await client.ask(query);
      expect(errors?.[0]?.extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
      expect(text).not.toMatch(/did you mean|tenant"/i);
    }
    const { text } = await client.ask(
      `query ($m: SearchMode) { knowledgeBase(key: "handbook") { search(query: "qq", mode: $m) { message } } }`,
      { m: "HYBRYD" }
    );
    expect(text).not.toMatch(/did you mean|"HYBRID/i);
    const { errors } = await client.ask("{ __schema { types { name } } }");
    expect(errors?.[0]?.extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
    expect((await client.ask("{ __typename }")).data).toEqual({ __typename: "Query" });
  });

  it("hint at names where the schema is open", async () => {
    const { errors } = await new Client(new FakeReader()).ask("{ viewer { tennant } }");
    expect(errors?.[0]?.message).toContain('Did you mean "tenant"?');
  });
});

describe("answers", () => {
  it("are 200 with a part of the data, in either form", async () => {
    const reader = new FakeReader().fail("overview", new GatewayError("UPSTREAM_TIMEOUT"));
    for (const accept of ["application/json", GRAPHQL_JSON]) {
      const { status, headers, data, errors } = await new Client(reader).ask(
        `{ knowledgeBase(key: "handbook") { key graphOverview { availability } } }`,
        {},
        { accept }
      );
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe(`${accept}; charset=utf-8`);
      expect(data).toEqual({ knowledgeBase: { key: "handbook", graphOverview: null } });
      expect(errors).toMatchObject([{ extensions: { code: "UPSTREAM_TIMEOUT", httpStatus: 504 } }]);
    }
  });

  it("keep upstream's words in details, and none of HTTP's in extensions", async () => {
    const details = { field: "cursor", reason: "REVISION_CHANGED", restart: true };
    const reader = new FakeReader().fail(
      "overview",
      new GatewayError("VALIDATION_ERROR", { details, requestId: "req-up" })
    );
    const { errors } = await new Client(reader).ask(
      `{ knowledgeBase(key: "handbook") { graphOverview { availability } } }`
    );
    expect(errors?.[0]?.extensions).toEqual({
      code: "VALIDATION_ERROR",
      httpStatus: 422,
      requestId: "req-up",
      details
    });
  });

  it("have no stream without having been asked for one", async () => {
    const { headers } = await new Client(new FakeReader()).ask("{ __typename }", {}, { accept: "*/*" });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

describe("failures before dispatch", () => {
  it.each([
    ["UNAUTHORIZED", 401],
    ["FORBIDDEN", 403],
    ["PAYLOAD_TOO_LARGE", 413],
    ["RATE_LIMITED", 429],
    ["OVERLOADED", 503]
  ] as const)("%s is %i whatever the client accepts", async (code, status) => {
    for (const accept of [undefined, "application/json", GRAPHQL_JSON]) {
      const response = graphqlFailure(new GatewayError(code, { retryAfterSeconds: 7 }), "req-1", accept);
      expect(response.status).toBe(status);
      expect(response.headers.get("retry-after")).toBe("7");
      expect(response.headers.get("content-type")).toBe(`${accept ?? "application/json"}; charset=utf-8`);
      expect(await response.json()).toEqual({
        errors: [
          {
            message: expect.any(String),
            extensions: {
              code,
              httpStatus: status,
              requestId: "req-1",
              retryAfterSeconds: 7,
              details: { retryAfterSeconds: 7 }
            }
          }
        ]
      });
    }
  });
});

describe("refusals by method and by Accept", () => {
  it.each(["PUT", "DELETE", "PATCH"])("%s is METHOD_NOT_ALLOWED, and says what is allowed", async (method) => {
    const { status, headers, errors } = await new Client(new FakeReader()).send(new Request(URL, { method }));
    expect([status, headers.get("allow")]).toEqual([405, "GET, POST"]);
    expect(errors).toMatchObject([
      { extensions: { code: "METHOD_NOT_ALLOWED", httpStatus: 405, requestId: "req-test" } }
    ]);
  });

  it.each(["text/plain", "image/png, text/html"])("Accept: %s is NOT_ACCEPTABLE, with a body", async (accept) => {
    const { status, headers, errors } = await new Client(new FakeReader()).ask("{ viewer { tenant } }", {}, { accept });
    expect([status, headers.get("content-type")]).toEqual([406, "application/json; charset=utf-8"]);
    const details = { field: "Accept", allowedValues: [GRAPHQL_JSON, "application/json"] };
    expect(errors).toMatchObject([{ extensions: { code: "NOT_ACCEPTABLE", httpStatus: 406, details } }]);
  });
});
