/**
 * The reference: what the work costs without a gateway. A bare node:http server over one undici pool, which passes an
 * answer through, or, for the two jobs that are many reads, fans out by hand and asks nothing twice.
 */
import { createServer, type ServerResponse } from "node:http";
import { Pool } from "undici";
import { listening, serveParent, upstreamUrl } from "./child.ts";
import { KNOWLEDGE_BASE, UPSTREAM_KEY } from "./world.ts";

const BASE = `/openapi/v2/knowledge-bases/${KNOWLEDGE_BASE}`;
const pool = new Pool(upstreamUrl(), { connections: 256, pipelining: 1 });
const headers = { authorization: `Bearer ${UPSTREAM_KEY}` };

async function bytes(path: string): Promise<ArrayBuffer> {
  const { body } = await pool.request({ method: "GET", path, headers });
  return await body.arrayBuffer();
}

async function json<T>(path: string): Promise<T> {
  const { body } = await pool.request({ method: "GET", path, headers });
  return (await body.json()) as T;
}

interface File {
  readonly fileId: string;
  readonly path: string;
  readonly title: string;
  readonly tags: readonly string[];
}

interface List<Row> {
  readonly items: readonly Row[];
}

/** A page of the tree, each entry with its file's title and tags. */
async function fifty(directory: string) {
  const tree = await json<List<File>>(`${BASE}/tree?parentPath=${encodeURIComponent(directory)}&limit=50`);
  const read = reader();
  return await Promise.all(tree.items.map(async ({ fileId }) => shown(await read(fileId))));
}

/** A search, five related files of each hit, and their titles and tags. */
async function nested(query: string) {
  const search = await json<List<File>>(`${BASE}/files/search?query=${encodeURIComponent(query)}&limit=10`);
  const read = reader();
  return await Promise.all(
    search.items.map(async ({ fileId, path }) => {
      const related = await json<List<File>>(`${BASE}/files/${fileId}/related?limit=5`);
      return { path, related: await Promise.all(related.items.map(async (row) => shown(await read(row.fileId)))) };
    })
  );
}

function reader(): (fileId: string) => Promise<File> {
  const known = new Map<string, Promise<File>>();
  return (fileId) => {
    const file = known.get(fileId) ?? json<{ file: File }>(`${BASE}/files/${fileId}`).then((answer) => answer.file);
    known.set(fileId, file);
    return file;
  };
}

function shown({ path, title, tags }: File) {
  return { path, title, tags };
}

function send(outgoing: ServerResponse, body: Uint8Array): void {
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": body.byteLength }).end(body);
}

async function answer(url: string): Promise<Uint8Array> {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const asked = searchParams.get("q") ?? "";
  return Buffer.from(JSON.stringify(pathname === "/fifty" ? await fifty(asked) : await nested(asked)));
}

const server = createServer((incoming, outgoing) => {
  const url = incoming.url ?? "/";
  const body = url.startsWith("/openapi/") ? bytes(url).then((buffer) => new Uint8Array(buffer)) : answer(url);
  body.then(
    (sent) => send(outgoing, sent),
    () => outgoing.writeHead(502).end()
  );
});
server.keepAliveTimeout = 600_000;

serveParent({ url: await listening(server) });
