/** The same question through every surface: the same items, the same error, the same upstream calls, one audit line. */
import { afterAll, describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/errors.ts";
import type { FakeAnswer } from "../harness/fake-upstream.ts";
import { ANSWERS } from "./answers.ts";
import { type Carried, carried } from "./carried.ts";
import { FAILURES } from "./failures.ts";
import { READS, type Read } from "./reads.ts";
import { REFUSALS } from "./refusals.ts";
import type { Exception, Expected, ExpectedError, Row } from "./row.ts";
import { errorOf, type SeenError, SURFACES, type SurfaceName } from "./surfaces.ts";
import { cold } from "./world.ts";

interface Cell {
  readonly surface: SurfaceName;
  readonly carried: Carried | null;
  readonly error: SeenError | null;
  readonly asked: readonly string[];
  readonly audit: readonly Readonly<Record<string, unknown>>[];
}

type ExpectedCell = Omit<Expected, "error"> & Pick<Exception, "error" | "reads" | "logged">;

let cells = 0;
afterAll(() =>
  console.log(
    `${ANSWERS.length + FAILURES.length + REFUSALS.length} rows, ${cells} cells over ${SURFACES.length} surfaces`
  )
);

describe.each([
  ["answers", ANSWERS],
  ["failures", FAILURES],
  ["refusals", REFUSALS]
] as const)("invariant 1: %s", (_, rows) => {
  test.each(rows.map((row) => [row.read, row.state, row] as const))("%s: %s", async (_read, _state, row) => {
    const seen: Cell[] = [];
    for (const surface of SURFACES) {
      const cell = await ask(row, surface);
      if (cell !== null) seen.push(cell);
    }
    cells += seen.length;
    for (const cell of seen) expectCell(row, cell);
    expectAlike(row, seen);
  });
});

/** Null where the surface has no form of the read. */
async function ask(row: Row, surface: SurfaceName): Promise<Cell | null> {
  const read: Read = READS[row.read];
  const form = read.forms[surface];
  if (typeof form === "string") return null;
  await using world = await cold(row.caller ?? "default");
  row.prepare?.(world.upstream);
  if (row.answer !== undefined) world.upstream.on(read.operation, row.answer);
  const answer = await form.ask(world.gateway, row.args, world.token);
  const error = errorOf(surface, form, answer);
  return {
    surface,
    error,
    carried: error === null ? carried(read, form.body(answer)) : null,
    asked: world.asked(),
    audit: world.gateway.audit
  };
}

/** What the table says of the cell. */
function expectCell(row: Row, { surface, carried, error, asked, audit }: Cell): void {
  const exception = row.except?.[surface];
  const expected: ExpectedCell = { ...row, ...exception };
  expect([surface, ...asked]).toEqual([surface, ...expected.asked]);
  if (expected.error) expectError(row, surface, expected.error, error);
  else {
    expect([surface, error]).toEqual([surface, null]);
    expect([surface, carried?.rows.flatMap(nameOf)]).toEqual([surface, expected.rows]);
    expect([surface, carried?.hasMore]).toEqual([surface, expected.hasMore ?? false]);
  }
  expectAudit(row, surface, expected, error, audit);
}

function expectError(row: Row, surface: SurfaceName, expected: ExpectedError, error: SeenError | null): void {
  const { code, details = null, by } = expected;
  expect({ surface, code: error?.code, details: error?.details }).toEqual({ surface, code, details });
  if (code in ERRORS) expect(error?.httpStatus).toBe(ERRORS[code as ErrorCode].httpStatus);
  const brought = requestIdOf(row.answer);
  if (by === "upstream" && brought !== null) expect(error?.requestId).toBe(brought);
  else expect(error?.requestId).not.toBe(brought);
}

/** One line a read: who, what, how it ended, what it cost, and whose request id its refusal carries. */
function expectAudit(
  row: Row,
  surface: SurfaceName,
  { error: expected, reads = 1, logged, asked }: ExpectedCell,
  error: SeenError | null,
  audit: Cell["audit"]
): void {
  expect([surface, audit.length]).toEqual([surface, reads]);
  const calls = asked.filter((call, index) => call !== asked[index - 1]);
  expect(audit.reduce((sum, line) => sum + Number(line.upstreamCalls), 0)).toBe(reads === 0 ? 0 : calls.length);
  if (reads === 0) return;
  const outcome = error?.code ?? "OK";
  const line = audit.find((written) => written.outcome === outcome) ?? {};
  expect(line).toMatchObject({
    tenant: row.caller ?? "default",
    surface: surface === "compact" || surface === "tool" ? "agent" : surface,
    operation: logged ?? READS[row.read].operation,
    outcome,
    upstreamRequestId: expected?.by === "upstream" ? error?.requestId : null
  });
  if (error !== null && expected?.by !== "upstream") expect(error.requestId).toBe(line.requestId);
}

/** What the table does not spell out: all that every surface carries of the items, and the error's words. */
function expectAlike({ except = {} }: Row, cells: readonly Cell[]): void {
  const answers = cells.filter(
    ({ surface }) => except[surface]?.error === undefined && except[surface]?.rows === undefined
  );
  const [first, ...others] = answers;
  for (const other of others) {
    expect([other.surface, other.carried]).toEqual([other.surface, first?.carried]);
    expect([other.surface, other.error?.message]).toEqual([other.surface, first?.error?.message]);
  }
}

function nameOf(row: object): string[] {
  const { path, "file.path": filePath, knowledgeBaseId, content } = row as Readonly<Record<string, string | undefined>>;
  const name = path ?? filePath ?? knowledgeBaseId ?? content;
  return name === undefined ? [] : [name];
}

function requestIdOf(answer: FakeAnswer | undefined): string | null {
  if (answer === undefined || "fault" in answer) return null;
  return (answer.body as { requestId?: string }).requestId ?? null;
}
