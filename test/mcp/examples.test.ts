/** The examples for agents, run as a visitor runs them. Each asserts what it shows. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, gateway } from "../../examples/agents/gateway.ts";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

const EXAMPLES: [string, string, string[]][] = [
  ["mcp.ts", process.execPath, ["--import", "tsx", "examples/agents/mcp.ts"]],
  ["openai.ts", process.execPath, ["--import", "tsx", "examples/agents/openai.ts"]],
  ["curl.sh", "bash", ["examples/agents/curl.sh"]]
];

let sample: Gateway;

beforeAll(async () => {
  sample = await gateway();
});
afterAll(() => sample[Symbol.asyncDispose]());

describe.each(EXAMPLES)("examples/agents/%s", { timeout: 60_000 }, (_name, command, args) => {
  it("answers from two files, each read once", async () => {
    const { stdout } = await run(command, [...args, sample.url], { cwd: REPOSITORY });
    const read = /evidence read:\n((?: {2}.+\n)+)/.exec(stdout)?.[1]?.trim().split(/\n\s*/) ?? [];
    expect(read).toHaveLength(2);
    expect(new Set(read).size).toBe(2);
    const answer = stdout.slice(stdout.indexOf("answer:"));
    for (const path of read) expect(answer).toContain(`[${path}]`);
  });

  it("ends with an error where the knowledge says something else", async () => {
    const id = "knowledge-base-00000000-0000-4000-8000-000000000001";
    await using fake = await fakeUpstream({
      knowledgeBases: [
        { id, pages: [{ path: "pages/deployment.md", content: "A deployment lost data. Nobody minded." }] }
      ]
    });
    await using other = await startGateway({
      upstreams: { main: fake },
      knowledgeBases: { engineering: { upstream: "main", id } }
    });
    await expect(run(command, [...args, other.url], { cwd: REPOSITORY })).rejects.toMatchObject({ code: 1 });
  });
});

it("examples/agents/curl.sh starts the sample by itself", { timeout: 60_000 }, async () => {
  const { stdout } = await run("bash", ["examples/agents/curl.sh"], { cwd: REPOSITORY });
  expect(stdout).toMatch(/within five days/);
});
