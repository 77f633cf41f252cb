/** A gateway that is served from a file, while the file changes under it: the whole process, as people run it. */
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../config/files.ts";
import { type RunningCommand, startCommand } from "../harness/command.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";

const LISTENING = /on (http:\/\/127\.0\.0\.1:\d+)/;
const SOON = { timeout: 15_000 };
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");

/** A configuration in which these keys may list the tree, and nothing else may be done. */
const yaml = (upstream: FakeUpstream, keys: readonly string[], apiKey = upstream.key) => `
server: { cursorSecret: a-cursor-secret-of-32-characters }
upstreams: { main: { url: "${upstream.url}", apiKey: "${apiKey}" } }
cache: { revisionCheckMs: 0 }
tenants:
  acme:
    credentials:
${keys.map((key) => `      - { apiKeySha256: ${sha256(key)}, subject: ${key} }`).join("\n")}
    grants: [{ upstream: main, operations: [list_tree] }]
`;

type TemporaryFolder = ReturnType<typeof temporaryFolder>;

interface Served extends AsyncDisposable {
  readonly command: RunningCommand;
  status(key: string, path?: string): Promise<number>;
  readiness(): Promise<{ version: number; lastReloadRefused: boolean }>;
}

async function serve(path: string): Promise<Served> {
  const command = startCommand(["serve", "--config", path, "--port", "0"]);
  const [, url = ""] = await command.waitFor(LISTENING);
  return {
    command,
    status: async (key, path = "/agent/tree") =>
      (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).status,
    readiness: async () => (await (await fetch(`${url}/readyz`)).json()).configuration,
    [Symbol.asyncDispose]: () => command[Symbol.asyncDispose]()
  };
}

/** Writes a file beside the other and renames it over it. */
function replace(folder: TemporaryFolder, text: string): void {
  renameSync(folder.write("next.yaml", text), folder.path("gateway.yaml"));
}

describe("a configuration file that is replaced by renaming", { timeout: 60_000 }, () => {
  it("revokes a key, and rotates keys, from the next request on", async () => {
    await using upstream = await fakeUpstream();
    using folder = temporaryFolder({ "gateway.yaml": yaml(upstream, ["old", "new"]) });
    await using served = await serve(folder.path("gateway.yaml"));
    expect([await served.status("old"), await served.status("new")]).toEqual([200, 200]);
    replace(folder, yaml(upstream, ["new", "newest"]));
    await expect.poll(() => served.status("old"), SOON).toBe(401);
    expect([await served.status("new"), await served.status("newest")]).toEqual([200, 200]);
    expect(await served.readiness()).toMatchObject({ version: 2, lastReloadRefused: false });
  });

  it("keeps the last good version where the next is not valid, and says so until it is well again", async () => {
    await using upstream = await fakeUpstream();
    using folder = temporaryFolder({ "gateway.yaml": yaml(upstream, ["old"]) });
    await using served = await serve(folder.path("gateway.yaml"));
    replace(folder, `${yaml(upstream, ["new"])}\nnonsense: true\n`);
    await expect.poll(() => served.readiness(), SOON).toMatchObject({ version: 1, lastReloadRefused: true });
    expect([await served.status("old"), await served.status("new")]).toEqual([200, 401]);
    const written = () => served.command.written.out + served.command.written.err;
    await expect.poll(written, SOON).toMatch(/nonsense[\s\S]*stays in force/);
    expect(written()).not.toContain(upstream.key);
    replace(folder, yaml(upstream, ["new"]));
    await expect.poll(() => served.status("new"), SOON).toBe(200);
    expect(await served.status("old")).toBe(401);
    expect(await served.readiness()).toMatchObject({ lastReloadRefused: false });
  });

  it("is one version to a request from start to end", async () => {
    await using upstream = await fakeUpstream();
    using folder = temporaryFolder({ "gateway.yaml": yaml(upstream, ["old"]) });
    await using served = await serve(folder.path("gateway.yaml"));
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    upstream.on("listKnowledgeBaseTree", async (_request, model) => held.then(model), 1);
    const slow = served.status("old");
    await upstream.until(() => upstream.count("listKnowledgeBaseTree") === 1);
    replace(folder, yaml(upstream, ["new"]));
    // Another question: the same one would wait for the same answer.
    await expect.poll(() => served.status("old", "/openapi.json"), SOON).toBe(401);
    answer();
    expect(await slow).toBe(200);
  });
});

describe("a configuration behind symlinks, as Kubernetes mounts it", { timeout: 60_000 }, () => {
  it("changes as a whole when the link above is swapped, its secrets with it", async () => {
    await using upstream = await fakeUpstream();
    using folder = temporaryFolder();
    const publish = (name: string, keys: readonly string[], apiKey: string) => {
      mkdirSync(folder.path(name));
      const text = yaml(upstream, keys, "\u0024{file:upstream-key}");
      writeFileSync(folder.path(`${name}/gateway.yaml`), text);
      writeFileSync(folder.path(`${name}/upstream-key`), `${apiKey}\n`);
      symlinkSync(name, folder.path("..data_tmp"));
      renameSync(folder.path("..data_tmp"), folder.path("..data"));
    };
    publish("..2027_1", ["old"], "a-key-that-is-refused");
    symlinkSync("..data/gateway.yaml", folder.path("gateway.yaml"));
    symlinkSync("..data/upstream-key", folder.path("upstream-key"));
    await using served = await serve(folder.path("gateway.yaml"));
    expect(await served.status("old")).toBe(502);
    publish("..2027_2", ["new"], upstream.key);
    await expect.poll(() => served.status("new"), SOON).toBe(200);
    expect(await served.status("old")).toBe(401);
    publish("..2027_3", ["newest"], upstream.key);
    await expect.poll(() => served.status("newest"), SOON).toBe(200);
    expect(await served.status("new")).toBe(401);
  });
});
