/** Operations by name: a manifest's, and those that clients register. */
import { createHash } from "node:crypto";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { print } from "graphql";
import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";

const TEXT = "query Who { viewer { tenant } }";
const OTHER = "query Who { viewer { subject } }";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const apq = (hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });
const documents = { "relay-md5-or-any-id": TEXT, [sha256(OTHER)]: OTHER };
type Mode = "off" | "allow" | "only";

const clientOf = (mode: Mode, reader = new FakeReader()) =>
  new Client(reader, { persisted: { mode, documents: mode === "off" ? {} : documents } });

function send(client: Client, body: unknown, headers: Record<string, string> = {}) {
  return client.send<Record<string, unknown>>(
    new Request("http://gateway.test/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
  );
}

function ask(client: Client, parameters: Record<string, string>) {
  return client.send<Record<string, unknown>>(
    new Request(`http://gateway.test/graphql?${new URLSearchParams(parameters)}`)
  );
}

const codeOf = ({ errors }: { readonly errors: readonly { extensions: { code: string } }[] | undefined }) =>
  errors?.[0]?.extensions.code;

describe("a manifest's operation", () => {
  it.each(["allow", "only"] as const)("is answered by its id, however that is sent (%s)", async (mode) => {
    const client = clientOf(mode);
    const id = "relay-md5-or-any-id";
    for (const body of [
      { documentId: id },
      { doc_id: id },
      { id },
      apq(id),
      { documentId: id, query: TEXT },
      { documentId: id, id }
    ]) {
      expect((await send(client, body)).data).toEqual({ viewer: { tenant: "acme" } });
    }
    expect((await send(client, { documentId: `sha256:${sha256(OTHER)}` })).data).toEqual({
      viewer: { subject: "tester" }
    });
    expect((await ask(client, { documentId: id })).data).toEqual({ viewer: { tenant: "acme" } });
    expect((await ask(client, { extensions: JSON.stringify(apq(id).extensions) })).data).toBeDefined();
  });

  it("takes variables and an operation's name", async () => {
    const text = "query A { __typename } query B($k: String!) { knowledgeBase(key: $k) { name } }";
    const client = new Client(new FakeReader(), { persisted: { mode: "only", documents: { both: text } } });
    const { data } = await send(client, { documentId: "both", operationName: "B", variables: { k: "handbook" } });
    expect(data).toEqual({ knowledgeBase: { name: "Handbook" } });
  });

  it("case 16: is refused with another text beside its id", async () => {
    for (const mode of ["allow", "only"] as const) {
      const answer = await send(clientOf(mode), { documentId: "relay-md5-or-any-id", query: OTHER });
      expect([codeOf(answer), answer.status, answer.data]).toEqual(["BAD_REQUEST", 400, undefined]);
    }
  });

  it("is not found where the manifest has none of that id", async () => {
    for (const mode of ["allow", "only"] as const) {
      for (const id of ["another", "__proto__", "constructor", "toString"]) {
        expect(codeOf(await send(clientOf(mode), { documentId: id }))).toBe("PERSISTED_QUERY_NOT_FOUND");
      }
    }
  });

  it("has the same limits as any text", async () => {
    const reader = new FakeReader({ limits: { queryDepth: 1 } });
    expect(codeOf(await send(clientOf("only", reader), { documentId: "relay-md5-or-any-id" }))).toBe(
      "QUERY_TOO_COMPLEX"
    );
  });
});

describe("only", () => {
  it("takes no text, alone or in a batch, by POST or GET", async () => {
    const client = new Client(new FakeReader(), { batchSize: 3, persisted: { mode: "only", documents } });
    for (const answer of [await send(client, { query: TEXT }), await ask(client, { query: TEXT })]) {
      expect([codeOf(answer), answer.status]).toEqual(["BAD_REQUEST", 400]);
      expect(answer.errors?.[0]?.message).toContain("persisted");
    }
    const { text } = await send(client, [{ query: TEXT }, { documentId: "relay-md5-or-any-id" }]);
    const [refused, answered] = JSON.parse(text);
    expect(refused.errors[0].extensions.code).toBe("BAD_REQUEST");
    expect(answered.data).toEqual({ viewer: { tenant: "acme" } });
  });

  it("lets nobody register a text", async () => {
    const client = clientOf("only");
    const register = { query: TEXT, ...apq(sha256(TEXT)) };
    expect(codeOf(await send(client, register))).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect(codeOf(await send(client, apq(sha256(TEXT))))).toBe("PERSISTED_QUERY_NOT_FOUND");
  });
});

describe("automatic persisted queries", () => {
  it("are answered by their hash once a client has sent the text with it, whoever that was", async () => {
    const client = clientOf("allow");
    const unknown = await send(client, apq(sha256(TEXT)), { accept: "application/graphql-response+json" });
    expect([unknown.status, unknown.errors?.[0]?.message]).toEqual([400, "PersistedQueryNotFound"]);
    expect(unknown.errors?.[0]?.extensions).toEqual({
      code: "PERSISTED_QUERY_NOT_FOUND",
      httpStatus: 400,
      requestId: "req-test"
    });
    expect((await send(client, { query: TEXT, ...apq(sha256(TEXT)) })).data).toEqual({ viewer: { tenant: "acme" } });
    expect((await send(client, apq(sha256(TEXT)))).data).toEqual({ viewer: { tenant: "acme" } });
    const other = new FakeReader({ limits: { queryDepth: 1 } });
    const response = await client.surface.handle(
      new Request("http://gateway.test/graphql", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(apq(sha256(TEXT)))
      }),
      other
    );
    expect(await response.text()).toContain("QUERY_TOO_COMPLEX");
  });

  it("are refused where the text does not have the hash, and not remembered", async () => {
    const client = clientOf("allow");
    for (const hash of [sha256(OTHER.replace("Who", "Me")), "0".repeat(64), sha256(TEXT).toUpperCase()]) {
      expect(codeOf(await send(client, { query: TEXT, ...apq(hash) }))).toBe("BAD_REQUEST");
      expect(codeOf(await send(client, apq(hash)))).toBe("PERSISTED_QUERY_NOT_FOUND");
    }
  });

  it("are remembered within a bound, the latest ones", async () => {
    const client = clientOf("allow");
    const textOf = (index: number) => `query { viewer { tenant } } # ${index} ${"x".repeat(100_000)}`;
    for (let index = 0; index < 100; index += 1) {
      await send(client, { query: textOf(index), ...apq(sha256(textOf(index))) });
    }
    expect(codeOf(await send(client, apq(sha256(textOf(0)))))).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect((await send(client, apq(sha256(textOf(99))))).data).toBeDefined();
  });

  it("are not supported where persisted operations are off; a text beside the hash is answered", async () => {
    const client = clientOf("off");
    const alone = await send(client, apq(sha256(TEXT)));
    expect([alone.errors?.[0]?.message, codeOf(alone)]).toEqual([
      "PersistedQueryNotSupported",
      "PERSISTED_QUERY_NOT_SUPPORTED"
    ]);
    expect((await send(client, { query: TEXT, ...apq(sha256(TEXT)) })).data).toBeDefined();
    expect(codeOf(await send(client, { query: OTHER, ...apq(sha256(TEXT)) }))).toBe("BAD_REQUEST");
  });

  it.each([
    ["a hash that is no text", { extensions: { persistedQuery: { version: 1, sha256Hash: 7 } } }],
    ["another version", { extensions: { persistedQuery: { version: 2, sha256Hash: sha256(TEXT) } } }],
    ["no hash", { extensions: { persistedQuery: { version: 1 } } }],
    ["no object", { extensions: { persistedQuery: "x" } }],
    ["two ids", { documentId: "a", id: "b" }],
    ["an id that is no text", { documentId: 7 }],
    ["an empty id", { documentId: "" }]
  ])("with %s are refused", async (_, body) => {
    for (const mode of ["off", "allow", "only"] as const) {
      expect(codeOf(await send(clientOf(mode), body))).toBe("BAD_REQUEST");
    }
  });

  it.each(["allow", "off"] as const)("work with Apollo Client as it comes (%s)", async (mode) => {
    const server = clientOf(mode);
    const sent: { query?: string; extensions?: object }[] = [];
    const link = new PersistedQueryLink({ sha256 }).concat(
      new HttpLink({
        uri: "http://gateway.test/graphql",
        fetch: async (url, init) => {
          sent.push(JSON.parse(String(init?.body)));
          return server.surface.handle(new Request(String(url), init), new FakeReader());
        }
      })
    );
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const query = gql(TEXT);
    for (let times = 0; times < 2; times += 1) {
      const { data } = await client.query({ query, fetchPolicy: "network-only" });
      expect(data).toMatchObject({ viewer: { tenant: "acme" } });
    }
    const withText = sent.map(({ query }) => query !== undefined);
    expect(withText).toEqual(mode === "allow" ? [false, true, false] : [false, true, true]);
    expect(print(query)).toContain("tenant");
  });
});
