import { expect, it } from "vitest";
import { metricsPage } from "./metrics-page.ts";

it("docs/metrics.md says what the catalogue says", async () => {
  await expect(metricsPage()).toMatchFileSnapshot("../../docs/metrics.md");
});
