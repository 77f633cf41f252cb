/** Answers in parts: what was put off with @defer or @stream comes after the rest, with its own errors. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Defer20220824Handler } from "@apollo/client/incremental";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { type FakeRequest, type FakeUpstream, fakeUpstream, serviceUnavailable } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import { Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";

const IN_PARTS = "multipart/mixed; deferSpec=20220824, application/graphql-response+json, application/json";
const SEARCH = `query { knowledgeBase(key: "handbook") { search(query: "note", first: 2) {
  edges { node { file { path ... @defer(label: "text") { content } } } } } } }`;

interface Piece {
  readonly data?: unknown;
  readonly items?: readonly unknown[];
  readonly path: readonly (string | number)[];
  readonly label?: string;
  readonly errors?: readonly { path: unknown; extensions: { code: string; requestId: string } }[];
}
interface Part {
  readonly data?: unknown;
  readonly errors?: Piece["errors"];
  readonly incremental?: readonly Piece[];
  readonly hasNext: boolean;
}

/** The parts of a multipart answer, as RFC 2046 divides them. */
function partsOf(text: string): Part[] {
  return text
    .split(/\r\n---(?:--)?(?:\r\n|$)/)
    .filter((part) => part.includes("{"))
    .map((part) => JSON.parse(part.slice(part.indexOf("\r\n\r\n"))) as Part);
}

async function ask(reader: FakeReader, query: string, accept = IN_PARTS, variables = {}) {
  const answer = await new Client(reader).ask<unknown>(query, variables, { accept });
  const inParts = answer.headers.get("content-type")?.startsWith("multipart/") ?? false;
  return { ...answer, parts: inParts ? partsOf(answer.text) : [] };
}

const content = (index: number) => ({ content: `# Note ${index}` });
const at = (index: number) => ["knowledgeBase", "search", "edges", index, "node", "file"];

describe("@defer", () => {
  it("brings what is put off after the rest, piece by piece", async () => {
    const { headers, parts } = await ask(new FakeReader(), SEARCH);
    expect(headers.get("content-type")).toBe('multipart/mixed; boundary="-"');
    const [first, ...later] = parts;
    const file = (index: number) => ({ node: { file: { path: `pages/notes/note ${index}.md` } } });
    expect(first).toEqual({ data: { knowledgeBase: { search: { edges: [file(0), file(1)] } } }, hasNext: true });
    expect(later.flatMap(({ incremental = [] }) => incremental)).toEqual([
      { data: content(0), path: at(0), label: "text" },
      { data: content(1), path: at(1), label: "text" }
    ]);
    expect(later.map(({ hasNext }) => hasNext).at(-1)).toBe(false);
  });

  it("invariant 4: renders an error of a later part like any other, where it belongs", async () => {
    const reader = new FakeReader()
      .fail("content source-file-0", new GatewayError("UPSTREAM_TIMEOUT"))
      .fail("content source-file-1", new Error("secret"));
    const { parts, text } = await ask(reader, SEARCH);
    const pieces = parts.flatMap(({ incremental = [] }) => incremental);
    expect(pieces.map(({ errors }) => errors?.[0])).toMatchObject([
      { path: [...at(0), "content"], extensions: { code: "UPSTREAM_TIMEOUT", httpStatus: 504, requestId: "req-test" } },
      { path: [...at(1), "content"], extensions: { code: "INTERNAL_ERROR", requestId: "req-test" } }
    ]);
    expect(text).not.toContain("secret");
  });

  it("is left out where the client takes JSON alone, or does not say", async () => {
    for (const accept of ["application/json", "application/graphql-response+json", "*/*"]) {
      const reader = new FakeReader();
      const { headers, data, errors } = await ask(reader, SEARCH, accept);
      expect(headers.get("content-type")).toMatch(/^application\/(?:graphql-response\+)?json/);
      expect(errors).toBeUndefined();
      expect(JSON.stringify(data)).toContain('"content":"# Note 1"');
    }
  });

  it("puts the read of a file's text off too, and keeps one read where it does not", async () => {
    const query = (directive: string) =>
      `{ knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-0" }) { title ... ${directive} { content } } } }`;
    const deferred = new FakeReader();
    const { parts } = await ask(deferred, query("@defer"));
    expect(parts[0]).toMatchObject({ data: { knowledgeBase: { file: { title: "Note 0" } } }, hasNext: true });
    expect(deferred.calls).toEqual(["file source-file-0", "content source-file-0"]);
    for (const [directive, accept] of [
      ["@defer(if: false)", IN_PARTS],
      ["@defer", "application/json"]
    ] as const) {
      const reader = new FakeReader();
      await ask(reader, query(directive), accept);
      expect(reader.calls).toEqual(["content source-file-0"]);
    }
  });

  it("invariant 10: costs what the same query costs without it", async () => {
    const reader = new FakeReader({ limits: { queryComplexity: 20 } });
    const { errors } = await ask(reader, SEARCH, "application/json");
    const { text } = await ask(reader, SEARCH);
    expect(errors?.[0]?.extensions.code).toBe("QUERY_TOO_COMPLEX");
    expect(text).toContain(`"actual":${errors?.[0]?.extensions.details?.actual}`);
    expect(reader.calls).toEqual([]);
  });

  it("is validated", async () => {
    const twice = `{ viewer { ... @defer(label: "a") { tenant } ... @defer(label: "a") { subject } } }`;
    const { text } = await ask(new FakeReader(), twice);
    expect(text).toContain("GRAPHQL_VALIDATION_FAILED");
    expect((await ask(new FakeReader(), "{ viewer @stream { tenant } }")).text).toContain("GRAPHQL_VALIDATION_FAILED");
  });
});

describe("@stream", () => {
  it("brings the items of a list one after the other", async () => {
    const query = `{ knowledgeBase(key: "handbook") { search(query: "note") {
      edges @stream(initialCount: 1) { node { file { content } } } } } }`;
    const { parts } = await ask(new FakeReader(), query);
    expect(parts[0]?.data).toEqual({
      knowledgeBase: { search: { edges: [{ node: { file: content(0) } }] } }
    });
    const items = parts.slice(1).flatMap(({ incremental = [] }) => incremental);
    expect(items.flatMap(({ items }) => items)).toEqual([1, 2].map((index) => ({ node: { file: content(index) } })));
    expect(items.map(({ path }) => path.at(-1))).toEqual([1, 2]);
  });
});

describe("over HTTP", () => {
  const KB = "knowledge-base-incremental";
  const QUERY = `query { knowledgeBase(key: "${KB}") { search(query: "caches") {
    edges { node { file { path ... @defer { content } } } } } } }`;
  let upstream: FakeUpstream;
  let gateway: TestGateway;
  beforeAll(async () => {
    const pages = ["a", "b", "c"].map((name) => ({ path: `pages/${name}.md`, content: "About caches." }));
    upstream = await fakeUpstream({ knowledgeBases: [{ id: KB, pages }] });
    gateway = await startGateway({ upstreams: { main: upstream }, config: { cache: { maxBytes: 0 } } });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });
  beforeEach(() => upstream.reset());

  const post = (query: string, signal?: AbortSignal) =>
    fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: IN_PARTS },
      body: JSON.stringify({ query }),
      ...(signal === undefined ? {} : { signal })
    });

  /** Holds the contents back until the test lets them go. */
  function holdContents(): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    upstream.on("getFileContentById", async (_request: FakeRequest, model) => {
      await released;
      return model();
    });
    return release;
  }

  it("shows a page of results before the upstream has given any content", async () => {
    const release = holdContents();
    const response = await post(QUERY);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"hasNext":true')) text += (await reader?.read())?.value ?? "";
    expect(text).toContain("pages/c.md");
    expect(text).not.toContain("About caches");
    release();
    for (let next = await reader?.read(); !next?.done; next = await reader?.read()) text += next?.value ?? "";
    expect(partsOf(text).flatMap(({ incremental = [] }) => incremental)).toHaveLength(3);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  it("case 19: lets the upstream go when the client leaves between two parts", async () => {
    holdContents();
    const leaving = new AbortController();
    const response = await post(QUERY, leaving.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    await upstream.until(() => upstream.count("getFileContentById") === 3);
    leaving.abort();
    const contents = () => upstream.requests.filter(({ operation }) => operation === "getFileContentById");
    await upstream.until(() => contents().every(({ aborted }) => aborted));
    expect((await gateway.get("/healthz")).status).toBe(200);
  });

  it("keeps errors beside data in their part: a failed source of a search", async () => {
    upstream.on("searchGeneratedFiles", serviceUnavailable("SEARCH_UNAVAILABLE"));
    const response = await post(`{ search(query: "caches") { edges { cursor }
      ... @defer { sources { searchStatus error { code } } } } }`);
    const parts = partsOf(await response.text());
    expect(parts[0]?.errors).toBeUndefined();
    expect(parts.flatMap(({ incremental = [] }) => incremental)).toMatchObject([
      {
        data: { sources: [{ searchStatus: null, error: { code: "SEARCH_UNAVAILABLE" } }] },
        errors: [{ path: ["search", "sources", 0], extensions: { code: "SEARCH_UNAVAILABLE" } }]
      }
    ]);
  });

  it("works with Apollo Client as it comes", async () => {
    const release = holdContents();
    const client = new ApolloClient({
      link: new HttpLink({ uri: `${gateway.url}/graphql` }),
      cache: new InMemoryCache(),
      incrementalHandler: new Defer20220824Handler()
    });
    const seen: string[] = [];
    await new Promise<void>((resolve, reject) => {
      client.watchQuery({ query: gql(QUERY) }).subscribe({
        error: reject,
        next({ data, dataState }) {
          seen.push(`${dataState} ${JSON.stringify(data ?? null).split("About caches").length - 1}`);
          if (dataState === "streaming") release();
          if (dataState === "complete") resolve();
        }
      });
    });
    client.stop();
    expect(seen).toContain("streaming 0");
    expect(seen.at(-1)).toBe("complete 3");
  });
});
