/** Several gateways behind one Redis, each with connections, caches and clocks of its own. */
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../harness/gateway.ts";
import type { TestRedis } from "./redis.ts";

export const REPLICAS = 3;
export const SECRET = "a secret that all replicas have";

export interface Fleet extends AsyncDisposable {
  readonly gateways: readonly TestGateway[];
  readonly upstream: FakeUpstream;
  readonly token: string;
  /** Statuses of so many requests, spread evenly over the replicas, a few at once. */
  ask(path: string, requests: number): Promise<readonly number[]>;
}

export async function startFleet(
  redis: TestRedis,
  { limits = {}, ...rest }: { limits?: object } & Pick<TestGatewayOptions, "upstreamSettings" | "config"> = {},
  others: TestGatewayOptions["tenants"] = {}
): Promise<Fleet> {
  const pages = Array.from({ length: 12 }, (_, index) => ({ path: `pages/${String(index).padStart(2, "0")}.md` }));
  const upstream = await fakeUpstream({ knowledgeBases: [{ pages }] });
  const options: TestGatewayOptions = {
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: { acme: { grants: [{ upstream: "main" }], limits: { requestsPerMinute: 100_000, ...limits } }, ...others },
    ...rest,
    config: {
      shared: { redisUrl: redis.url, replicas: REPLICAS },
      ...rest.config,
      server: { cursorSecret: SECRET, ...rest.config?.server }
    }
  };
  const gateways = await Promise.all(Array.from({ length: REPLICAS }, () => startGateway(options)));
  const token = gateways[0]!.token("acme");
  return {
    gateways,
    upstream,
    token,
    async ask(path, requests) {
      const statuses: number[] = [];
      let next = 0;
      const worker = async () => {
        while (next < requests) {
          const gateway = gateways[next % gateways.length]!;
          next += 1;
          statuses.push((await gateway.get(path, { token })).status);
        }
      };
      await Promise.all(Array.from({ length: 6 }, worker));
      return statuses;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await upstream.close();
    }
  };
}

export function count(statuses: readonly number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}

export function isShared(gateway: TestGateway): Promise<boolean> {
  return gateway.get("/readyz").then(({ body }) => body.shared.available === true);
}
