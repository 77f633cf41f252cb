import { expect, it } from "vitest";
import { metricsPage } from "./metrics-page.ts";
import { routesPage } from "./routes-page.ts";

it("docs/metrics.md says what the catalogue says", async () => {
  await expect(metricsPage()).toMatchFileSnapshot("../../docs/metrics.md");
});

it("docs/routes.md says what the router and the OpenAPI document say", async () => {
  await expect(routesPage()).toMatchFileSnapshot("../../docs/routes.md");
});
