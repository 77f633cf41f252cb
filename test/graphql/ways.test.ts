/** The short way of a plain POST and Yoga's own answer alike: one table, sent both ways. */
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { wholeOf } from "../harness/whole.ts";
import { Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";

const KB = 'knowledgeBase(key: "handbook")';
const OVERVIEW = `{ ${KB} { key graphOverview { availability } } }`;
const json = (value: unknown) => JSON.stringify(value);

interface Case {
  readonly body: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly reader?: () => FakeReader;
  readonly options?: ConstructorParameters<typeof Client>[1];
  /** Whether the server sends it the short way. */
  readonly short: boolean;
}

const failing = (error: Error) => () => new FakeReader().fail("overview", error);
const many = `{ ${Array.from({ length: 31 }, (_, index) => `a${index}: __typename`).join(" ")} }`;

const CASES: Record<string, Case> = {
  "an answer": { body: json({ query: "{ viewer { tenant } }" }), short: true },
  "text beyond ASCII": { body: json({ query: "{ viewer { tenant } } # é€😀" }), short: true },
  "a byte order mark": { body: `\uFEFF${json({ query: "{ viewer { tenant } }" })}`, short: true },
  "bytes that are not UTF-8": {
    body: Buffer.concat([Buffer.from('{"query":"{ viewer { tenant } } # '), Buffer.from([0xff]), Buffer.from('"}')]),
    short: true
  },
  "variables and a name": {
    body: json({
      query: `query A { __typename } query B($k: String!) { knowledgeBase(key: $k) { name } }`,
      operationName: "B",
      variables: { k: "handbook" }
    }),
    short: true
  },
  "no name among several": { body: json({ query: "query A { __typename } query B { __typename }" }), short: true },
  "a part of the data": {
    body: json({ query: OVERVIEW }),
    reader: failing(new GatewayError("UPSTREAM_TIMEOUT")),
    short: true
  },
  "a wait": {
    body: json({ query: OVERVIEW }),
    reader: failing(new GatewayError("RATE_LIMITED", { retryAfterSeconds: 9, requestId: "req-up" })),
    short: true
  },
  "a fault of our own": {
    body: json({ query: OVERVIEW }),
    reader: failing(new TypeError("x of undefined")),
    short: true
  },
  "a text that does not parse": { body: json({ query: "{ viewer {" }), short: true },
  "a text that is not valid": { body: json({ query: "{ viewer { nobody } }" }), short: true },
  "a variable that is wrong": {
    body: json({ query: "query ($f: Int!) { knowledgeBases(first: $f) { edges { cursor } } }", variables: { f: "x" } }),
    short: true
  },
  "too many aliases": { body: json({ query: many }), short: true },
  "too much cost": {
    body: json({ query: `{ ${KB} { search(query: "note") { edges { node { score } } } } }` }),
    reader: () => new FakeReader({ limits: { queryComplexity: 3 } }),
    short: true
  },
  "too many tokens": {
    body: json({ query: "{ viewer { tenant subject } }" }),
    reader: () => new FakeReader({ limits: { queryTokens: 3 } }),
    short: true
  },
  "a mutation": { body: json({ query: "mutation { __typename }" }), short: true },
  "a subscription": { body: json({ query: "subscription { __typename }" }), short: true },
  "no query": { body: json({}), short: true },
  "a query that is no text": { body: json({ query: 1 }), short: true },
  "variables that are a list": { body: json({ query: "{ __typename }", variables: [] }), short: true },
  "an unknown member": { body: json({ query: "{ __typename }", other: 1 }), short: true },
  "a hash that nobody registered": {
    body: json({ extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } }),
    options: { persisted: { mode: "allow", documents: {} } },
    short: true
  },
  "introspection that is off": {
    body: json({ query: "{ __schema { types { name } } }" }),
    options: { introspection: false },
    short: true
  },
  "a client that takes GraphQL's own type first": {
    body: json({ query: "{ viewer { nobody } }" }),
    headers: { accept: "application/graphql-response+json, application/json;q=0.9" },
    short: true
  },
  "a client that takes JSON first": {
    body: json({ query: "{ viewer { nobody } }" }),
    headers: { accept: "Application/JSON ; charset=utf-8, application/graphql-response+json" },
    short: true
  },
  "a client that takes any application type": {
    body: json({ query: "{ viewer { tenant } }" }),
    headers: { accept: "text/html, application/*;q=0.1" },
    short: true
  },
  ...Object.fromEntries(
    ["*/json", "application/json/x", "*/graphql-response+json", "*/*;q=0", "Application/*", "text/html, */*"].map(
      (accept) => [
        `a client that takes ${accept} before the other type`,
        {
          body: json({ query: "{ viewer { nobody } }" }),
          headers: { accept: `${accept}, application/json;q=0.5, application/graphql-response+json` },
          short: true
        }
      ]
    )
  ),
  "a client that takes parts first, for an answer without any": {
    body: json({ query: "{ viewer { tenant } }" }),
    headers: { accept: "text/event-stream, multipart/mixed, application/graphql-response+json" },
    short: true
  },
  "a client that takes parts alone, for an answer without any": {
    body: json({ query: "{ viewer { tenant } }" }),
    headers: { accept: "text/event-stream" },
    short: false
  },
  "a client that takes any text alone": {
    body: json({ query: "{ viewer { tenant } }" }),
    headers: { accept: "text/*" },
    short: false
  },
  "an empty Accept": { body: json({ query: "{ viewer { nobody } }" }), headers: { accept: "" }, short: false },
  "a client that also takes parts, for an answer without any": {
    body: json({ query: "{ viewer { tenant } }" }),
    headers: { accept: "application/graphql-response+json, application/json, text/event-stream, multipart/mixed" },
    short: true
  },
  "a client that takes parts, and asks for them": {
    body: json({ query: "{ viewer { tenant ... @defer { subject } } }" }),
    headers: { accept: "multipart/mixed, application/json" },
    short: false
  },
  "a deferred fragment for a client that takes none": {
    body: json({ query: "{ viewer { tenant ... @defer { subject } } }" }),
    short: true
  },
  "a client that takes nothing of it": {
    body: json({ query: "{ viewer { tenant } }" }),
    headers: { accept: "text/html" },
    short: false
  },
  "a client that takes another charset": {
    body: json({ query: "{ viewer { tenant } }" }),
    headers: { accept: "application/json; charset=latin1" },
    short: false
  },
  "a stream for a client that takes none": {
    body: json({ query: "{ knowledgeBases { edges @stream(initialCount: 0) { cursor } } }" }),
    headers: { accept: "application/json" },
    short: true
  },
  "a registered operation, for a client that also takes parts": {
    body: json({ extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } }),
    options: { persisted: { mode: "allow", documents: {} } },
    headers: { accept: "text/event-stream, application/json" },
    short: false
  },
  "an operation of the manifest": {
    body: json({ documentId: "tenant" }),
    options: { persisted: { mode: "only", documents: { tenant: "{ viewer { tenant } }" } } },
    short: true
  },
  "a text where only the manifest's are answered": {
    body: json({ query: "{ viewer { subject } }" }),
    options: { persisted: { mode: "only", documents: { tenant: "{ viewer { tenant } }" } } },
    short: true
  },
  "a charset": {
    body: json({ query: "{ viewer { tenant } } # é" }),
    headers: { "content-type": "Application/JSON ; charset=latin1" },
    short: true
  },
  "members that objects have by themselves": {
    body: '{"__proto__":{"query":"{ __typename }"},"constructor":1,"query":"{ viewer { tenant } }"}',
    short: true
  },
  "no body": { body: "", short: false },
  null: { body: "null", short: false },
  "a body that is not JSON": { body: "{", short: false },
  "a list where there are no batches": { body: json([{ query: "{ __typename }" }]), short: false },
  "a batch": {
    body: json([{ query: "{ __typename }" }, { query: "{ viewer { nobody } }" }]),
    options: { batchSize: 2 },
    short: false
  },
  "another media type": {
    body: json({ query: "{ __typename }" }),
    headers: { "content-type": "text/plain" },
    short: false
  }
};

function requestOf({ body, headers = {} }: Case): Request {
  return new Request("http://gateway.test/graphql", {
    method: "POST",
    body: typeof body === "string" ? body : new Uint8Array(body),
    headers: { "content-type": "application/json", ...headers }
  });
}

async function sent(one: Case, way: "short" | "yoga") {
  const reader = one.reader?.() ?? new FakeReader();
  const client = new Client(reader, one.options);
  const response = await client.respond(requestOf(one), way);
  // Yoga's Headers keep the case of names; lengths and what is about the connection are the server's to say.
  const headers = Object.fromEntries(
    [...response.headers]
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !["content-length", "connection", "transfer-encoding"].includes(name))
  );
  return {
    status: response.status,
    headers,
    text: await response.text(),
    calls: reader.calls.length,
    unexpected: client.unexpected.length
  };
}

describe("the short way and Yoga's own", () => {
  it.each(Object.entries(CASES))("answer %s alike", async (_, one) => {
    const short = await sent(one, "short");
    expect(short.headers["content-type"]).toMatch(/^(?:application|multipart|text\/event-stream)/);
    expect(short).toEqual(await sent(one, "yoga"));
  });

  it.each(Object.entries(CASES))("%s goes the way that the table says", async (_, one) => {
    const { surface } = new Client(new FakeReader(), one.options);
    expect(surface.handlePost(await wholeOf(requestOf(one)), new FakeReader()) !== null).toBe(one.short);
  });

  it.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])("leaves %s to Yoga", async (method) => {
    const request = new Request("http://gateway.test/graphql?query={__typename}", {
      method,
      ...(method === "PUT" && { body: '{"query":"{ __typename }"}', headers: { "content-type": "application/json" } })
    });
    expect(new Client(new FakeReader()).surface.handlePost(await wholeOf(request), new FakeReader())).toBeNull();
  });

  it("share one cache of documents and one store of registered operations", async () => {
    const client = new Client(new FakeReader(), { persisted: { mode: "allow", documents: {} } });
    const query = "{ viewer { tenant } }";
    const { createHash } = await import("node:crypto");
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash("sha256").update(query).digest("hex") } };
    await client.respond(requestOf({ body: json({ query, extensions }), short: true }), "short");
    const later = await client.respond(requestOf({ body: json({ extensions }), short: true }), "yoga");
    expect(await later.json()).toEqual({ data: { viewer: { tenant: "acme" } } });
  });
});
