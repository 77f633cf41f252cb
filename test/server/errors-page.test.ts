import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ERRORS } from "../../src/errors.ts";

it("docs/errors.md lists every code with its status and whether to retry", () => {
  const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (\d{3}) +\| (yes|no) +\|/gm)];
  const documented = rows.map(([, code, status, retry]) => [code, Number(status), retry === "yes"] as const);
  const table = Object.entries(ERRORS).map(
    ([code, { httpStatus, retryable }]) => [code, httpStatus, retryable] as const
  );
  expect(documented.toSorted()).toEqual(table.toSorted());
});
