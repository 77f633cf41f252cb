/** GraphiQL as a browser sees it. Needs a Chromium: FOCOWIKI_TEST_CHROMIUM, or Debian's. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { graphiqlPage } from "../../src/graphql/graphiql.ts";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";
import { Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";

const executablePath = process.env.FOCOWIKI_TEST_CHROMIUM ?? "/usr/bin/chromium";

describe("GraphiQL's page", () => {
  it("is off where it is turned off", async () => {
    expect(new Client(new FakeReader(), { graphiql: false }).surface.page()).toBeNull();
    expect((await new Client(new FakeReader()).surface.page())?.status).toBe(200);
  });

  it("may run nothing but itself, and talk to nobody but the gateway", async () => {
    const page = await graphiqlPage();
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="?https?:/);
  });

  it.skipIf(!existsSync(executablePath))(
    `runs its first query in a browser (skipped without ${executablePath})`,
    async () => {
      await using upstream = await fakeUpstream();
      await using gateway = await startGateway({ upstreams: { main: upstream } });
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
      try {
        const page = await browser.newPage();
        const strangers: string[] = [];
        const complaints: string[] = [];
        page.on("request", (request) => {
          if (/^https?:/.test(request.url()) && !request.url().startsWith(gateway.url)) strangers.push(request.url());
        });
        page.on("console", (message) => {
          if (message.type() === "error") complaints.push(message.text());
        });
        page.on("pageerror", (error) => complaints.push(error.message));
        await page.goto(`${gateway.url}/graphql`);
        await page.locator(".graphiql-query-editor .view-line", { hasText: "query Start" }).waitFor();
        await page.click(".graphiql-execute-button");
        await page.locator(".result-window", { hasText: "Fake handbook" }).waitFor();
        await page.locator(".result-window", { hasText: '"path"' }).waitFor();
        expect([strangers, complaints]).toEqual([[], []]);
      } finally {
        await browser.close();
      }
    },
    60_000
  );
});
