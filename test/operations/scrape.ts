/** What `/metrics` says, for tests. */
import { expect } from "vitest";
import type { TestGateway } from "../harness/gateway.ts";

/** Samples by name and labels, as they stand in the text. */
export async function scrape(gateway: TestGateway, token?: string): Promise<ReadonlyMap<string, number>> {
  const { status, text } = await gateway.get("/metrics", { token });
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))])
  );
}
