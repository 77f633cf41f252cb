/** SIGTERM while answers of every kind are under way: a real process, told to stop in the middle. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startCommand } from "../harness/command.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";

const LISTENING = /on (http:\/\/127\.0\.0\.1:\d+)/;
const KEY = "knowledge-base-stop";
/** A test that waits so long has failed by its own time limit. */
const WITHOUT_END_MS = 3_600_000;

const TREE = `tree(parentPath: "pages") { edges { node { path ... on File { ... @defer { content } } } } }`;
const DEFERRED = JSON.stringify({ query: `{ knowledgeBase(key: "${KEY}") { name ${TREE} } }` });
const STREAMED = JSON.stringify({
  query: `{ knowledgeBase(key: "${KEY}") { name tree(parentPath: "pages") {
    edges @stream(initialCount: 0) { node { path ... on File { content } } } } } }`
});
const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "read_file", arguments: { path: "pages/one.md" } }
});

interface Stopping extends AsyncDisposable {
  readonly url: string;
  readonly upstream: FakeUpstream;
  readonly command: ReturnType<typeof startCommand>;
  /** Requests whose content the upstream holds back: a stream in parts, one of events, an MCP call, two reads. */
  readonly underWay: readonly Promise<Response>[];
  /** Lets the upstream answer. */
  release(): void;
}

/** A served upstream that holds contents back, and requests of every kind that wait for one. */
async function startStopping(shutdownGraceMs: number): Promise<Stopping> {
  const upstream = await fakeUpstream({ knowledgeBases: [{ id: KEY, pages: [{ path: "pages/one.md" }] }] });
  const folder = mkdtempSync(join(tmpdir(), "gateway-"));
  const file = join(folder, "gateway.json");
  const { url: address, key: apiKey } = upstream;
  // Nothing else ends what is under way.
  const main = { url: address, apiKey, timeoutMs: 600_000 };
  const config = { server: { shutdownGraceMs }, log: { level: "info" }, upstreams: { main } };
  writeFileSync(file, JSON.stringify(config));
  const command = startCommand(["serve", "--config", file, "--port", "0"]);
  const [, url = ""] = await command.waitFor(LISTENING);

  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  upstream.on(
    ({ operation }) => operation === "getFileContentById" || operation === "getFileContentByPath",
    async (_, model) => {
      await held;
      return model();
    }
  );
  const post = (path: string, accept: string, body: string) =>
    fetch(url + path, { method: "POST", headers: { accept, "content-type": "application/json" }, body });
  const underWay = [
    post("/graphql", "multipart/mixed", DEFERRED),
    post("/graphql", "text/event-stream", STREAMED),
    post(`/mcp/${KEY}`, "application/json, text/event-stream", CALL),
    fetch(`${url}/agent/${KEY}/files/content?path=pages/one.md`),
    fetch(`${url}/openapi/v2/knowledge-bases/${KEY}/files/${upstream.fileId("pages/one.md")}/content`)
  ];
  for (const answer of underWay) answer.catch(() => undefined);
  // Both streams have begun: their heads are here, their ends are not.
  await Promise.all(underWay.slice(0, 2));
  await upstream.until(() => upstream.count("getFileContentByPath") > 0 && upstream.count("getFileContentById") > 0);
  return {
    url,
    upstream,
    command,
    underWay,
    release,
    async [Symbol.asyncDispose]() {
      release();
      await command[Symbol.asyncDispose]();
      await upstream.close();
      rmSync(folder, { recursive: true });
    }
  };
}

/** A connection that the gateway has taken, and on which so much has reached it. */
async function opened(url: string, bytes = ""): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  if (bytes !== "") await new Promise((resolve) => socket.write(bytes, resolve));
  // Asked later, answered later.
  const later = await fetch(`${url}/healthz`, { headers: { connection: "close" } });
  await later.text();
  return socket;
}

/** All that arrives until the other side closes. */
async function toTheEnd(socket: Socket): Promise<string> {
  let text = "";
  for await (const bytes of socket) text += String(bytes);
  return text;
}

it("case 20: SIGTERM while answers stream: they end as they would have, and the process with 0", async () => {
  await using stopping = await startStopping(WITHOUT_END_MS);
  const { url, command, underWay, release } = stopping;
  // Said nothing yet, as a balancer's check or a browser's spare connection does.
  const silent = await opened(url);
  // And one that is in the middle of asking.
  const asking = await opened(url, `GET /readyz HTTP/1.1\r\nHost: ${new URL(url).host}\r\n`);

  const silentClosed = once(silent.resume(), "close");
  command.process.kill("SIGTERM");
  await silentClosed;
  await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  asking.write("\r\n");
  const notReady = await toTheEnd(asking);
  expect(notReady).toMatch(/^HTTP\/1\.1 503 /);
  expect(notReady).toContain('"status":"not_ready"');
  expect(notReady.toLowerCase()).toContain("connection: close");

  release();
  const texts = await Promise.all(underWay.map(async (answer) => (await answer).text()));
  for (const text of texts) expect(text).toContain("# ");
  expect(texts[0]).toMatch(/"hasNext":false\}\r\n-----(?:\r\n)?$/);
  expect(texts[1]).toMatch(/event: complete\n(?:data:[^\n]*\n)?\n$/);
  const { code, err } = await command.ended;
  expect(code).toBe(0);
  expect(err).toContain('"clean":true');
  expect(err).not.toMatch(/"level":[56]0/);
});

it("case 20: what still streams at the end of the grace time is cut off, and looks so; exit code 0", async () => {
  await using stopping = await startStopping(100);
  const { command, upstream, underWay } = stopping;
  const unread = underWay.map(async (answer) => (await answer).text());
  command.process.kill("SIGTERM");
  const outcomes = await Promise.allSettled(unread);
  expect(outcomes.map(({ status }) => status)).toEqual(underWay.map(() => "rejected"));
  const { code, err } = await command.ended;
  expect(code).toBe(0);
  expect(err).toContain('"clean":false');
  expect(err).not.toMatch(/"level":[56]0/);
  await upstream.until(() => upstream.connections() === 0);
});

it.each([
  ["SIGTERM", "SIGTERM", 143],
  ["SIGTERM", "SIGINT", 130],
  ["SIGINT", "SIGTERM", 143]
] as const)("%s and then %s end the process at once, its log written", async (first, second, expected) => {
  await using stopping = await startStopping(WITHOUT_END_MS);
  const { url, command } = stopping;
  const silent = await opened(url);
  const silentClosed = once(silent.resume(), "close");
  command.process.kill(first);
  await silentClosed;
  command.process.kill(second);
  const { code, err } = await command.ended;
  expect(code).toBe(expected);
  expect(err).toContain('"msg":"stopping"');
});
