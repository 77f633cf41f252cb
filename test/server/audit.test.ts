import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it("the audit log goes to the file of the version in force", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gateway-"));
  try {
    const [first, second] = [join(folder, "first.jsonl"), join(folder, "new", "second.jsonl")];
    await using upstream = await fakeUpstream();
    const options = (file: string) => ({ upstreams: { main: upstream }, config: { audit: { file } } });
    const gateway = await startGateway(options(first));
    await gateway.get("/openapi/v2/knowledge-bases");
    gateway.reload(options(second));
    await gateway.get("/openapi/v2/version");
    await gateway.close();
    expect(linesOf(first)).toMatchObject([{ operation: "listKnowledgeBases", outcome: "OK", surface: "mirror" }]);
    expect(linesOf(second)).toMatchObject([{ operation: "getVersion", outcome: "OK", surface: "mirror" }]);
    expect(linesOf(first)[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
