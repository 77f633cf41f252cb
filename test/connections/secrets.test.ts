import { describe, expect, it } from "vitest";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../harness/gateway.ts";

const OLD = "the secret of last year";
const NEW = "the secret of this year";
const WARNING = 40;

type Secret = NonNullable<NonNullable<TestGatewayOptions["config"]>["server"]>["cursorSecret"];

function settings(upstream: TestGatewayOptions["upstreams"][string], cursorSecret: Secret): TestGatewayOptions {
  return { upstreams: { main: upstream }, config: { server: { cursorSecret } } };
}

async function cursorFrom(gateway: TestGateway, path: string): Promise<string> {
  return (await gateway.get(`${path}?limit=1`)).body.nextCursor;
}

async function resume(gateway: TestGateway, path: string, cursor: string): Promise<unknown> {
  const { status, body } = await gateway.get(`${path}?limit=1&cursor=${cursor}`);
  return status === 200 ? body.items.length : body.error.details;
}

const REFUSED = { field: "cursor", reason: "INVALID", restart: true };

function warnings(gateway: TestGateway): unknown[] {
  return gateway.logs.filter(({ level, msg }) => level === WARNING && String(msg).includes("server.cursorSecret"));
}

describe("invariant 5: the secret that cursors are sealed with", () => {
  it("can be replaced across reloads: the first seals, all open", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway(settings(upstream, OLD));
    const path = `/agent/${upstream.knowledgeBase().id}/tree`;
    const old = await cursorFrom(gateway, path);
    gateway.reload(settings(upstream, [NEW, OLD]));
    expect(await resume(gateway, path, old)).toBe(1);
    const fresh = await cursorFrom(gateway, path);
    expect(fresh).not.toBe(old);
    gateway.reload(settings(upstream, NEW));
    expect(await resume(gateway, path, fresh)).toBe(1);
    expect(await resume(gateway, path, old)).toEqual(REFUSED);
    expect(warnings(gateway)).toEqual([]);
  });

  it("is shared by replicas that are given the same", async () => {
    await using upstream = await fakeUpstream();
    await using one = await startGateway(settings(upstream, OLD));
    await using other = await startGateway(settings(upstream, [NEW, OLD]));
    await using third = await startGateway(settings(upstream, NEW));
    const path = `/agent/${upstream.knowledgeBase().id}/tree`;
    const cursor = await cursorFrom(one, path);
    expect(await resume(other, path, cursor)).toBe(1);
    expect(await resume(third, path, cursor)).toEqual(REFUSED);
  });

  it("is a random one of the process where none is configured, and a warning says so once", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway(settings(upstream, undefined));
    await using other = await startGateway(settings(upstream, undefined));
    expect(warnings(gateway)).toEqual([
      expect.objectContaining({
        msg: expect.stringMatching(/server\.cursorSecret is not set: cursors end with this process/)
      })
    ]);
    const path = `/agent/${upstream.knowledgeBase().id}/tree`;
    const cursor = await cursorFrom(gateway, path);
    gateway.reload({ ...settings(upstream, undefined), upstreamSettings: { timeoutMs: 5000 } });
    expect(await resume(gateway, path, cursor)).toBe(1);
    expect(await resume(other, path, cursor)).toEqual(REFUSED);
    expect(warnings(gateway)).toHaveLength(1);
    expect(gateway.written.join("")).not.toContain(cursor);
  });
});
