import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/server/commands/run.ts";
import type { SchemaFormat } from "../../src/server/commands/schema.ts";
import { type CommandResult, runCommand, startCommand } from "../harness/command.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";

const LISTENING = /on (http:\/\/127\.0\.0\.1:\d+)/;
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

let folder: string;
let upstream: FakeUpstream;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gateway-"));
  upstream = await fakeUpstream();
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await upstream.close();
});

/** Runs a command that ends by itself, in this process. */
async function runHere(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, {
    env,
    out: (line) => out.push(`${line}\n`),
    err: (line) => err.push(`${line}\n`),
    logSink: { write: (text) => err.push(text) },
    outSink: { write: (text) => out.push(text) },
    stopped: () => new Promise(() => undefined)
  });
  return { code, out: out.join(""), err: err.join("") };
}

function configFile(name: string, tenants: string): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `server: { cursorSecret: "\${env:CURSOR_SECRET}" }
upstreams:
  main: { url: "${upstream.url}", apiKey: "\${env:UPSTREAM_KEY}" }
knowledgeBases:
  handbook: { upstream: main, id: ${upstream.knowledgeBase().id} }
${tenants}`
  );
  return file;
}

const env = () => ({ UPSTREAM_KEY: upstream.key, CURSOR_SECRET: "a secret of some length" });
const HASH = createHash("sha256").update("key").digest("hex");
const TENANTS = `tenants:
  acme:
    credentials: [{ apiKeySha256: ${HASH}, subject: test }]
    grants: [{ knowledgeBases: [handbook], paths: { allow: ["pages/**"], deny: ["pages/hr/**"] } }]
`;

describe("wrong use", () => {
  it.each([
    [[], /Usage: focowiki-gateway/],
    [["fetch"], /"fetch" is not a command/],
    [["serve", "--prot", "1"], /--prot/],
    [["serve", "--port", "http"], /--port is "http"/],
    [["serve", "--port", "70000"], /--port is "70000"/],
    [["serve", "--port"], /--port/],
    [["serve", "extra"], /extra/],
    [["serve", "--config", "a.yaml", "--folder", "b"], /--config and --folder/],
    [["serve", "--folder", "/no/such/folder"], /--folder \/no\/such\/folder .*ENOENT/],
    [["serve", "--host", "0.0.0.0"], /The host 0\.0\.0\.0 \(--host or HOST\) .*loopback/],
    [["check"], /--config is required/],
    [["explain", "--tenant", "acme"], /--knowledge-base is required/],
    [
      ["explain", "--tenant", "a", "--knowledge-base", "b", "--path", "c", "--operation", "write"],
      /--operation is "write"; it must be one of search_files/
    ],
    [["keys"], /"new"/],
    [["schema", "--format", "xml"], /--format is "xml"; it must be one of sdl, subgraph, openapi, mcp, tools, config/]
  ] as const)("%j exits with 2 and names what is wrong", async (args, message) => {
    const { code, out, err } = await runHere(args);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
    expect([code, out]).toEqual([2, ""]);
  });
});

describe("help", () => {
  it("lists the commands; --version prints the package's", async () => {
    const help = await runHere(["--help"]);
    expect(help.code).toBe(0);
    for (const name of ["serve", "check", "explain", "keys new", "schema"]) expect(help.out).toContain(`  ${name}`);
    const serve = await runHere(["serve", "--help"]);
    expect([serve.code, serve.out]).toEqual([0, expect.stringContaining("--folder DIR")]);
    expect(await runCommand(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });
});

describe("serve", () => {
  it("bare, serves the sample and prints commands that work as they are printed", async () => {
    await using command = startCommand(["serve"], { PORT: "0" });
    const [, url = ""] = await command.waitFor(LISTENING);
    await command.waitFor(/openapi\.json\n/);
    const { out, err } = command.written;
    expect(err).toBe("");
    const curls = [...out.matchAll(/curl -s '([^']+)'/g)].map(([, target = ""]) => target);
    expect(curls.length).toBeGreaterThanOrEqual(4);
    for (const target of curls) {
      const response = await fetch(target);
      expect([target, response.status]).toEqual([target, 200]);
      const body = await response.json();
      if (target.includes("/search?")) expect(body.items.length).toBeGreaterThan(0);
    }
    const [, query = ""] = /-d '(.+)'\n/.exec(out) ?? [];
    const answer = await fetch(`${url}/graphql`, {
      method: "POST",
      body: query,
      headers: { "content-type": "application/json" }
    });
    const { data } = await answer.json();
    expect(data.knowledgeBase.tree.edges.length).toBeGreaterThan(0);
    expect((await fetch(`${url}/graphql`, { headers: { accept: "text/html" } })).headers.get("content-type")).toContain(
      "text/html"
    );
    command.process.kill("SIGINT");
    expect((await command.ended).code).toBe(0);
  });

  it("a folder of somebody's own, as one knowledge base", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    writeFileSync(join(own, "first.md"), "---\ntitle: First\n---\n# First\n\nSome words about herons.\n");
    await using command = startCommand(["serve", "--folder", own, "--port", "0"]);
    const [, url = ""] = await command.waitFor(LISTENING);
    const found = await (await fetch(`${url}/agent/search?query=herons`)).json();
    expect(found.items.map(({ path }: { path: string }) => path)).toEqual(["pages/first.md"]);
  });

  it("warns in one line of a file whose name holds line ends and escapes", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    writeFileSync(join(own, "first.md"), "# First\n");
    writeFileSync(join(own, "a\nwarning: b\u001b[2J.md"), "# Second\n");
    await using command = startCommand(["serve", "--folder", own], { PORT: "0" });
    await command.waitFor(/openapi\.json\n/);
    expect(command.written.err).toMatch(/^warning: a\\nwarning: b\\u001b\[2J\.md: [^\n]+\n$/);
  });

  it("a port that is taken is said in one line, exit code 1", async () => {
    const { port } = new URL(upstream.url);
    const { code, err } = await runCommand(["serve", "--port", port]);
    expect(code).toBe(1);
    expect(err).toBe(
      `Cannot listen on 127.0.0.1:${port}: another program listens there. Choose another port with --port or PORT.\n`
    );
  });

  it("a configuration with problems is refused with every line, exit code 1", async () => {
    const file = configFile(
      "broken.yaml",
      "tenants: { acme: { grants: [{ knowledgeBases: [nowhere] }], limit: {} } }\n"
    );
    const { code, err } = await runHere(["serve", "--config", file], env());
    expect(code).toBe(1);
    expect(err).toContain(`${file}:6: tenants.acme`);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it("no tenants and a host that others reach is refused", async () => {
    const file = configFile("open.yaml", "");
    const { code, err } = await runHere(["serve", "--config", file, "--host", "0.0.0.0"], env());
    expect(code).toBe(1);
    expect(err).toMatch(/server\.host: .*loopback/);
  });

  it("a changed file is taken into force; one with problems is not, and readiness says so", async () => {
    const file = configFile("watched.yaml", TENANTS);
    await using command = startCommand(["serve", "--config", file, "--port", "0"], env());
    const [, url = ""] = await command.waitFor(LISTENING);
    const ask = () => fetch(`${url}/openapi/v2/knowledge-bases`, { headers: { authorization: "Bearer key" } });
    const configuration = async () => (await (await fetch(`${url}/readyz`)).json()).configuration;
    expect((await ask()).status).toBe(200);
    configFile("watched.yaml", TENANTS.replace(HASH, HASH.replaceAll("a", "b")));
    await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(401);
    configFile("watched.yaml", "tenants: 5\n");
    await expect.poll(configuration, { timeout: 10_000 }).toMatchObject({ version: 2, lastReloadRefused: true });
    configFile("watched.yaml", TENANTS);
    await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200);
    expect(await configuration()).toMatchObject({ version: 3, lastReloadRefused: false });
  });
});

describe("check", () => {
  it("exits with 0 on a valid configuration, and says what its upstreams are", async () => {
    const file = configFile("valid.yaml", TENANTS);
    const { code, out } = await runHere(["check", "--config", file], env());
    expect(code).toBe(0);
    expect(out).toMatch(/^upstream main: \S+ \d/m);
    expect(out).toMatch(/valid, \d+ warnings?/);
  });

  it("warns of a key that the upstream refuses, at its line, and never shows it", async () => {
    const file = configFile("refused.yaml", TENANTS);
    const { code, err } = await runHere(["check", "--config", file], { ...env(), UPSTREAM_KEY: "a-wrong-key" });
    expect(code).toBe(0);
    expect(err).toContain(`${file}:3: warning: upstreams.main.apiKey: `);
    expect(err).not.toContain("a-wrong-key");
  });

  it("exits with 1 on errors", async () => {
    const file = configFile("errors.yaml", "tenant: {}\n");
    const { code, out, err } = await runHere(["check", "--config", file], env());
    expect(code).toBe(1);
    expect(err).toContain(`${file}:6: `);
    expect(out).toContain("not valid, 1 error");
  });

  it.each(["", "# nothing but a comment\n"])("says of an empty file (%j) what it needs", async (text) => {
    const file = join(folder, "empty.yaml");
    writeFileSync(file, text);
    const { code, err } = await runHere(["check", "--config", file], env());
    expect([code, err]).toEqual([1, expect.stringMatching(/empty\.yaml:1: the file is empty\. It needs upstreams/)]);
  });

  it("looks at persisted operations", async () => {
    const operations = { good: "{ viewer { tenant } }", old: "{ viewer { company } }", cut: "{ viewer {" };
    writeFileSync(join(folder, "operations.json"), JSON.stringify(operations));
    const graphql = "graphql: { persistedOperations: only, persistedManifest: operations.json }";
    const file = configFile("persisted.yaml", `${TENANTS}\n${graphql}\n`);
    const { code, err } = await runHere(["check", "--config", file], env());
    expect(code).toBe(0);
    expect(err).toMatch(
      /graphql\.persistedManifest: the operation "old" would be refused: Cannot query field "company"/
    );
    expect(err).toMatch(/the operation "cut" would be refused: Syntax Error/);
    expect(err).not.toContain('"good"');
  });
});

describe("explain", () => {
  it.each([
    ["pages/guide.md", "read_file: allowed"],
    ["pages/hr/pay.md", "read_file: denied"]
  ])("%s: %s, with the rule", async (path, expected) => {
    const file = configFile("explained.yaml", TENANTS);
    const args = ["--tenant", "acme", "--knowledge-base", "handbook", "--path", path, "--operation", "read_file"];
    const { code, out } = await runHere(["explain", "--config", file, ...args], env());
    expect([code, out]).toEqual([0, expect.stringContaining(expected)]);
    expect(out).toContain("line ");
  });

  it("says that there is no such knowledge base, exit code 2", async () => {
    const file = configFile("explained.yaml", TENANTS);
    const args = ["--tenant", "acme", "--knowledge-base", "nope", "--path", "pages/guide.md"];
    const { code, err } = await runHere(["explain", "--config", file, ...args], env());
    expect([code, err]).toEqual([2, expect.stringContaining("--knowledge-base: There is no knowledge base nope")]);
  });
});

describe("keys new", () => {
  it("prints a key and the hash that opens it, another one each time", async () => {
    const [one, other] = await Promise.all([runHere(["keys", "new"]), runHere(["keys", "new"])]);
    const [, key = ""] = /^key: +(\S+)$/m.exec(one.out) ?? [];
    expect(one.out).toContain(createHash("sha256").update(key).digest("hex"));
    expect(other.out).not.toContain(key);
  });
});

describe("schema", () => {
  const files: Readonly<Partial<Record<SchemaFormat, string>>> = {
    sdl: "schema.graphql",
    openapi: "openapi.json",
    tools: "tools.json",
    config: "gateway-config.schema.json"
  };

  it.each(Object.entries(files))("--format %s prints what is checked in as schema/%s", async (format, file) => {
    const { code, out } = await runHere(["schema", "--format", format]);
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(new URL(`../../schema/${file}`, import.meta.url), "utf8"));
  });

  it("--format mcp prints the tools as MCP lists them", async () => {
    const { out } = await runHere(["schema", "--format", "mcp"]);
    const tools: { name: string; inputSchema: { type: string } }[] = JSON.parse(out);
    expect(tools).toHaveLength(6);
    expect(tools.every(({ inputSchema }) => inputSchema.type === "object")).toBe(true);
  });
});
