/** docs/tenants-walkthrough.md, walked: every command in it is run, and must print what stands below it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { type EmbeddedUpstream, startEmbedded } from "../../src/embedded/embedded.ts";
import { run } from "../../src/server/commands/run.ts";
import { type RunningGateway, startGateway } from "../../src/server/gateway.ts";
import { temporaryFolder } from "../config/files.ts";

const EXAMPLE = "examples/gateway.yaml";
const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const text = readFileSync(root("docs/tenants-walkthrough.md"), "utf8");
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, body = ""]) => body);

/** What is typed, and what is printed. */
const STEPS = blocks("console").flatMap((block) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...printed] = step.trimEnd().split("\n");
      return [command, printed.join("\n")] as const;
    })
);

/** `'…' > path` of the shell's lines that write the folders. */
const PAGES = [...text.matchAll(/^echo '([^']*)' > demo\/(\S+)$/gm)].map(
  ([, page = "", path = ""]) => [path, `${page}\n`] as const
);
const VARIABLES = Object.fromEntries(
  [...text.matchAll(/\b([A-Z_]+_ID|CURSOR_SECRET)=(\S+)$/gm)].map(([, name, value]) => [name, value])
);
const HEADERS = Object.fromEntries(
  [...text.matchAll(/^([A-Z]+)='(Authorization: [^']+)'$/gm)].map(([, name, value]) => [`$${name}`, value])
);

const folder = temporaryFolder();
const upstreams: EmbeddedUpstream[] = [];
let env: Record<string, string>;
let gateway: RunningGateway;

beforeAll(async () => {
  for (const [path, page] of PAGES) {
    mkdirSync(dirname(folder.path(path)), { recursive: true });
    writeFileSync(folder.path(path), page);
  }
  for (const name of ["company", "research"]) upstreams.push(await startEmbedded({ folder: folder.path(name) }));
  const [company, research] = upstreams;
  env = {
    ...VARIABLES,
    COMPANY_URL: company?.url ?? "",
    COMPANY_API_KEY: company?.apiKey ?? "",
    RESEARCH_URL: research?.url ?? "",
    RESEARCH_API_KEY: research?.apiKey ?? ""
  };
  const { config } = loadConfig(root(EXAMPLE), env, { server: { port: 0 } });
  const log = pino({}, { write: () => undefined });
  gateway = await startGateway({ config, version: "0.0.0-test", log, standardOutput: { write: () => undefined } });
});

afterAll(async () => {
  await gateway.stop();
  for (const upstream of upstreams) await upstream.close();
  folder[Symbol.dispose]();
});

/** Runs `NAME=value focowiki-gateway …` in this process. */
async function runCommand(command: string): Promise<string> {
  const words = command.replaceAll(EXAMPLE, root(EXAMPLE)).split(" ");
  const own = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split("=") as [string, string]);
  const lines: string[] = [];
  await run(words.slice(own.length + 1), {
    env: { ...env, ...Object.fromEntries(own) },
    out: (line) => lines.push(line),
    err: (line) => lines.push(line),
    logSink: { write: () => undefined },
    outSink: { write: () => undefined },
    stopped: () => new Promise(() => undefined)
  });
  return lines.join("\n").replaceAll(root(EXAMPLE), EXAMPLE);
}

/** Sends what `curl` is told to send. */
async function runCurl(command: string): Promise<string> {
  const url = /http:\/\/127\.0\.0\.1:4000([^\s']*)/.exec(command)?.[1] ?? "";
  const body = /-d '([^']*)'/.exec(command)?.[1];
  const headers = [...command.matchAll(/-H (?:"(\$[A-Z]+)"|'([^']+)')/g)].map(
    ([, variable = "", header]) => header ?? HEADERS[variable] ?? ""
  );
  const answer = await fetch(gateway.url + url, {
    headers: headers.map((header) => header.split(": ") as [string, string]),
    ...(body === undefined ? {} : { method: "POST", body })
  });
  return (await answer.text()).replace(/req-[0-9a-f-]{36}/g, "req-…");
}

describe("docs/tenants-walkthrough.md", () => {
  it("has commands to walk, folders to write, and keys to call with", () => {
    expect(STEPS.length).toBeGreaterThan(12);
    expect([PAGES.length, Object.keys(VARIABLES).length, Object.keys(HEADERS)]).toEqual([4, 3, ["$BOT", "$ADMIN"]]);
  });

  it.each(STEPS)("$ %s", async (command, printed) => {
    expect(await (command.startsWith("curl") ? runCurl(command) : runCommand(command))).toBe(printed);
  });
});
