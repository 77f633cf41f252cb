/** The gateway's client of a fake upstream, with the defaults that a configuration has. */
import { UpstreamSchema } from "../../src/config/schema.ts";
import type { Call } from "../../src/upstream/call.ts";
import { createUpstream, type UpstreamOptions } from "../../src/upstream/client.ts";
import { Ending } from "../../src/upstream/ending.ts";
import type { Upstream } from "../../src/upstream/upstream.ts";

export type ClientConfig = Partial<{
  name: string;
  url: string;
  apiKey: string;
  timeoutMs: number;
  maxConcurrent: number;
  rateLimit: { requests: number; perSeconds: number };
}>;

/** Closes with `await using`; what the test left hanging is ended by the fake's own closing. */
export function clientOf(
  upstream: { readonly url: string; readonly key: string },
  config: ClientConfig = {},
  options: UpstreamOptions = {}
): Upstream & AsyncDisposable {
  const { name = "main", ...rest } = config;
  const client = createUpstream(
    { ...UpstreamSchema.parse({ url: upstream.url, apiKey: upstream.key, ...rest }), name },
    options
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** A call as the layers below the client see it, for tests of one layer. */
export function fakeCall(call: Partial<Call> = {}): Call {
  return {
    operation: "getHealth",
    kind: "reads",
    target: "/openapi/v2/health",
    query: {},
    subject: null,
    tenant: "",
    caller: undefined,
    ending: new Ending(),
    deadline: undefined,
    progress: { sent: 0, hurried: false },
    ...call
  };
}
