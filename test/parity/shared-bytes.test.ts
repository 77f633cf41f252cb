/** Bytes that many callers are sent are kept once; what each caller sees is decided on each read all the same. */
import { expect, it } from "vitest";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

const KB = "knowledge-base-shared";
const SEEN = "pages/open/seen.md";
const HIDDEN = "pages/closed/hidden.md";
const contentOf = (path: string) => `/agent/${KB}/files/content?path=${path}`;

async function start() {
  const pages = [SEEN, HIDDEN].map((path) => ({ path, content: `The text of ${path}.` }));
  const upstream = await fakeUpstream({ knowledgeBases: [{ id: KB, pages }] });
  const grant = { upstream: "main" };
  const gateway = await startGateway({
    upstreams: { main: upstream },
    tenants: {
      open: { grants: [grant] },
      twin: { grants: [grant] },
      rules: { grants: [{ ...grant, paths: { allow: ["pages/open/**"] } }] },
      reader: { grants: [{ ...grant, operations: ["read_file"] }] }
    },
    config: { cache: { revisionCheckMs: 0 } }
  });
  const ask = (tenant: string, path: string) => gateway.get(contentOf(path), { token: gateway.token(tenant) });
  return {
    upstream,
    ask,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await upstream.close();
    }
  };
}

const ORDERS = [
  ["open", "twin", "rules", "reader", "open"],
  ["reader", "rules", "open", "twin", "reader"]
];

it.each(ORDERS)("invariant 2: kept bytes show nobody more, asked by %s, %s, %s, %s, %s", async (...order) => {
  await using world = await start();
  const { upstream, ask } = world;
  const sent = new Map<string, string>();
  for (const tenant of order) {
    const answer = await ask(tenant, SEEN);
    expect(answer.status, answer.text).toBe(200);
    expect(sent.get(tenant) ?? answer.text).toBe(answer.text);
    sent.set(tenant, answer.text);
    const { readActions } = answer.body.file;
    expect(readActions.sourceFileStatusById).toBeNull();
    expect(readActions.fileContentById).toEqual(expect.any(String));
    // `reader` may not follow this one.
    expect(readActions.fileDetailById === null).toBe(tenant === "reader");
    expect((await ask(tenant, HIDDEN)).status).toBe(tenant === "rules" ? 404 : 200);
  }
  expect(sent.get("twin")).toBe(sent.get("open"));
  // One read a file: all but the first were answered from what is held.
  expect(upstream.count("getFileContentByPath")).toBe(2);
});

it("invariant 2: a caller with path rules is sent what was decided on, not the bytes it came in", async () => {
  await using world = await start();
  const { upstream, ask } = world;
  // The last member of a name counts where an answer is read, and the first one still stands in its bytes.
  upstream.on("getFileContentByPath", (_, model) => {
    const { file, ...rest } = model().body as { file: object };
    const seen = JSON.stringify({ ...rest, file: { ...file, readActions: null } });
    return { raw: `{"file":${JSON.stringify({ path: HIDDEN })},${seen.slice(1)}` };
  });
  const answer = await ask("rules", SEEN);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).toContain(SEEN);
  expect(answer.text).not.toContain(HIDDEN);
});

it("invariant 7: kept bytes go with the revision", async () => {
  await using world = await start();
  const { upstream, ask } = world;
  expect((await ask("open", SEEN)).body.content).toContain(SEEN);
  upstream.knowledgeBase().addPage({ path: SEEN, content: "New." }).publish();
  for (const tenant of ["open", "twin"]) expect((await ask(tenant, SEEN)).body.content).toBe("New.");
});
