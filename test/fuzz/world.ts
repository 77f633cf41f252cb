/** A gateway over a small fake upstream for random requests, and what no answer to any of them may be. */
import { ERRORS } from "../../src/errors.ts";
import { type FakeAnswer, type FakeUpstream, fakeUpstream, serviceUnavailable } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../harness/gateway.ts";

export interface FuzzWorld extends AsyncDisposable {
  readonly upstream: FakeUpstream;
  readonly gateway: TestGateway;
  readonly token: string;
  /** Values that mean something here, beside which random ones mean nothing. */
  readonly words: Words;
  /** Runs a request while the upstream is in a state. @throws Error where no answer comes */
  during<T>(state: UpstreamState, ask: () => Promise<T>): Promise<T>;
  /** @throws Error for what no answer may be. */
  judge(answer: { readonly status: number; readonly text: string }, state: UpstreamState): void;
}

export interface Words {
  readonly keys: readonly string[];
  readonly fileIds: readonly string[];
  readonly paths: readonly string[];
  readonly cursors: readonly string[];
  /** By the name of an argument: values that name something which is there, all of one knowledge base. */
  readonly sound: Readonly<Record<string, readonly string[]>>;
}

const FAULTS = {
  healthy: null,
  unavailable: serviceUnavailable(),
  broken: { fault: "cut-json" },
  gone: { fault: "reset" },
  page: { fault: "html", status: 502 }
} as const satisfies Record<string, FakeAnswer | null>;
export type UpstreamState = keyof typeof FAULTS;
export const STATES = Object.keys(FAULTS) as UpstreamState[];

/** Runs of a property: the usual number, or so many times that, for a long night. */
export function runs(usual: number): number {
  return usual * Number(process.env.FUZZ_TIMES ?? 1);
}

/** No request here is worth so long a wait. */
const HANGS_AFTER_MS = 15_000;
const TIME_LIMIT_MS = 10_000;
/** Frames of a stack, and files of this package or its dependencies. */
const INSIDES = /\bat \S+ \(|\bat (?:async )?(?:file:|\/|node:)|node_modules|file:\/\/|\/src\/[a-z]|\.[tj]s:\d+/;
const CODES = /"code":"([A-Z_]+)"/g;

const NODES = `{ knowledgeBase(key: "one") { tree(parentPath: "pages") { edges { node { ... on Node { id } } } } } }`;

export async function startFuzzWorld(): Promise<FuzzWorld> {
  const upstream = await fakeUpstream({
    knowledgeBases: [
      {
        id: "knowledge-base-one",
        pages: ["one", "two", "deep/three", "deep/日本"].map((name) => ({
          path: `pages/${name}.md`,
          content: `# ${name}\n\nAbout caches.\n`
        })),
        relations: [
          { from: "pages/one.md", to: "pages/two.md" },
          { from: "pages/two.md", to: "pages/deep/three.md" }
        ]
      },
      { id: "knowledge-base-two", pages: [{ path: "pages/secret/plan.md" }, { path: "pages/open.md" }] }
    ]
  });
  const options = (timeoutMs: number): TestGatewayOptions => ({
    upstreams: { main: upstream },
    upstreamSettings: { timeoutMs, rateLimit: { requests: 1_000_000 } },
    knowledgeBases: { one: { upstream: "main", id: "knowledge-base-one" } },
    tenants: {
      acme: {
        grants: [
          { upstream: "main" },
          { knowledgeBases: ["knowledge-base-two"], upstream: "main", paths: { deny: ["pages/secret/**"] } }
        ],
        limits: { requestsPerMinute: 1_000_000, rerank: true }
      }
    },
    config: { audit: { file: "-" } },
    loadBounds: { maxInFlight: 1_000, maxDelayMs: 60_000, delayCountsAbove: 1_000 }
  });
  const gateway = await startGateway(options(TIME_LIMIT_MS));
  const token = gateway.token("acme");
  const first = await gateway.get("/agent/one/tree?parentPath=pages&limit=1", { token });
  const rows = await gateway.graphql(NODES, {}, { token });
  const nodeIds = rows.body.data.knowledgeBase.tree.edges.map(({ node }: { node: { id: string } }) => node.id);
  const keys = ["one", "knowledge-base-one"];
  const pages = ["pages/one.md", "pages/two.md", "pages/deep/three.md", "pages/deep/日本.md"];
  let read = 0;
  let faults = 0;

  return {
    upstream,
    gateway,
    token,
    words: {
      keys: ["one", "knowledge-base-one", "knowledge-base-two", "knowledge-base-none"],
      fileIds: [upstream.fileId("pages/one.md"), upstream.fileId("index.md"), upstream.fileId("pages/deep/日本.md")],
      paths: ["pages", "pages/one.md", "pages/deep", "index.md", "_graph", "root", "", "pages/../x"],
      cursors: [first.body.nextCursor, "eyJ2IjoxfQ", ""],
      sound: {
        key: keys,
        kb: keys,
        knowledgeBaseId: keys,
        knowledgeBase: keys,
        knowledgeBases: keys,
        id: nodeIds,
        ids: nodeIds,
        fileId: pages.map((path) => upstream.fileId(path)),
        path: pages,
        parentPath: ["pages", "pages/deep", "root"],
        query: ["cache", "about caches", "日本語"],
        after: [""],
        cursor: [""]
      }
    },
    async during(state, ask) {
      const answer = FAULTS[state];
      const back = answer === null ? () => undefined : upstream.on(() => true, answer);
      let timer: NodeJS.Timeout | undefined;
      const hangs = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("the gateway hangs")), HANGS_AFTER_MS);
      });
      try {
        return await Promise.race([ask(), hangs]);
      } finally {
        clearTimeout(timer);
        back();
        // Another client of the upstream, whose circuits do not remember the fault.
        if (answer !== null) gateway.reload(options(TIME_LIMIT_MS + ++faults));
        upstream.requests.length = 0;
      }
    },
    judge({ status, text }, state) {
      const codes = [...text.matchAll(CODES)].map(([, code]) => code ?? "");
      if (INSIDES.test(text)) throw new Error(`insides are shown: ${text}`);
      if (codes.includes("INTERNAL_ERROR")) throw new Error(`a fault of the gateway's own: ${text}`);
      const isServerFault = (code: string) => code in ERRORS && ERRORS[code as keyof typeof ERRORS].httpStatus >= 500;
      if (state === "healthy" && (status >= 500 || codes.some(isServerFault))) {
        throw new Error(`a fault though all is well: ${status} ${text}`);
      }
      const lines = gateway.logs.slice(read);
      read = gateway.logs.length;
      const unexpected = lines.filter(({ level }) => Number(level) >= 50);
      if (unexpected.length > 0) throw new Error(`unexpected: ${JSON.stringify(unexpected)}`);
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await upstream.close();
    }
  };
}
