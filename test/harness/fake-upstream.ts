/**
 * A Developer OpenAPI in the test's hands: a real HTTP server over a small model in memory, which behaves as the
 * recorded upstream does, and of which every single answer can be decided otherwise.
 */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Operation } from "../../src/upstream/operations.ts";
import type { Fault } from "./fake-faults.ts";
import { observe, send } from "./fake-http.ts";
import { type FakeKnowledgeBase, KnowledgeBaseModel } from "./fake-model.ts";
import { answerFromModel } from "./fake-operations.ts";
import { DEFAULTS, type Limits, type ListName, MAXIMA } from "./fake-paging.ts";
import type { World } from "./fake-reads.ts";
import type { FakeResponse } from "./fake-refusals.ts";
import type { Route } from "./fake-routes.ts";
import type { Evidence, SearchCursors } from "./fake-search.ts";

export type { Fault, FaultName } from "./fake-faults.ts";
export type { FakeKnowledgeBase, FakePage, FakeRelation, KnowledgeBaseModel } from "./fake-model.ts";
export * from "./fake-refusals.ts";

export type FakeAnswer = FakeResponse | Fault;

export interface FakeRequest extends Route {
  readonly method: string;
  /** The request target as it came, undecoded, with the query. */
  readonly target: string;
  /** The target without its query, undecoded. */
  readonly path: string;
  /** The first value of each parameter, decoded. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The client closed the connection before the answer was sent whole. */
  aborted: boolean;
  /** The answer was sent whole. */
  finished: boolean;
}

/** Decides an answer; `model` gives what the server would say by itself. Undefined leaves the answer to the server. */
export type FakeHandler = (
  request: FakeRequest,
  model: () => FakeResponse
) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;

export interface FakeOptions {
  /** One knowledge base of two pages where left out. */
  readonly knowledgeBases?: readonly FakeKnowledgeBase[];
  readonly key?: string;
  /** Lower maxima, as a deployment may set them. */
  readonly maxima?: Partial<Record<ListName, number>>;
  readonly defaults?: Partial<Record<ListName, number>>;
  /** Bytes above which a content is 413; 10 MiB where left out. */
  readonly contentCap?: number;
  /** A path under which the API is served, such as `/focowiki`. */
  readonly prefix?: string;
}

export interface FakeUpstream extends AsyncDisposable {
  /** The base URL, prefix included, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly requests: FakeRequest[];
  /** What the search's evidence is worth; `none` is the outage that looks like an empty result. */
  evidence: Evidence;
  /** Requests seen, of one operation or of all. */
  count(operation?: Operation): number;
  /** Requests seen but for the knowledge base details that revision checks ask. */
  countReads(): number;
  /** Forgets requests and overrides; the model stays as it is. */
  reset(): void;
  /** By id; the first one where left out. @throws Error where there is none */
  knowledgeBase(id?: string): KnowledgeBaseModel;
  /** The id of the file at a path of a knowledge base, the first where left out. */
  fileId(path: string, knowledgeBaseId?: string): string;
  /**
   * Decides answers, the latest decision first.
   * @param times how many answers it decides; without end where left out
   * @returns takes the decision back
   */
  on(
    which: Operation | ((request: FakeRequest) => boolean),
    answer: FakeAnswer | FakeHandler,
    times?: number
  ): () => void;
  /** Waits until the condition holds; it is asked again after each request, abort, answer and closed socket. */
  until(condition: () => boolean): Promise<void>;
  /** Sockets that are open now. */
  connections(): number;
  /** Ends every connection and takes no new one, until `comeBack`. */
  goAway(): Promise<void>;
  /** Listens again, on the same port. */
  comeBack(): Promise<void>;
  /** Closes the sockets that no request uses, as an upstream does after its keep-alive time. */
  closeIdleConnections(): void;
  /** Search cursors live 900 s upstream; this ends them at once. */
  expireSearchCursors(): void;
  close(): Promise<void>;
}

interface Override {
  readonly matches: (request: FakeRequest) => boolean;
  readonly answer: FakeAnswer | FakeHandler;
  left: number;
}

const SAMPLE: FakeKnowledgeBase = {
  pages: [{ path: "pages/one.md" }, { path: "pages/two.md" }],
  relations: [{ from: "pages/one.md", to: "pages/two.md" }]
};

export async function fakeUpstream(options: FakeOptions = {}): Promise<FakeUpstream> {
  const world: World = {
    knowledgeBases: (options.knowledgeBases ?? [SAMPLE]).map((input) => new KnowledgeBaseModel(input)),
    maxima: { ...MAXIMA, ...options.maxima } satisfies Limits,
    defaults: { ...DEFAULTS, ...options.defaults } satisfies Limits,
    contentCap: options.contentCap ?? 10 * 1024 * 1024
  };
  const key = options.key ?? "fake-upstream-key";
  const prefix = options.prefix ?? "";
  const cursors: SearchCursors = new Map();
  const requests: FakeRequest[] = [];
  const sockets = new Set<Socket>();
  const events = new EventEmitter().setMaxListeners(0);
  let overrides: Override[] = [];
  let evidence: Evidence = "complete";

  const server = createServer((incoming, response) => {
    const request = observe(incoming, response, prefix, () => events.emit("change"));
    requests.push(request);
    events.emit("change");
    const model = () => answerFromModel(request, { world, key, cursors, evidence });
    void decide(request, model).then(
      (answer) => send(response, request, answer),
      (thrown: unknown) => send(response, request, { status: 599, body: { fakeFailed: String(thrown) } })
    );
  });
  server.keepAliveTimeout = 5000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      events.emit("change");
    });
  });

  async function decide(request: FakeRequest, model: () => FakeResponse): Promise<FakeAnswer> {
    for (const override of overrides) {
      if (override.left <= 0 || !override.matches(request)) continue;
      if (typeof override.answer !== "function") {
        override.left -= 1;
        return override.answer;
      }
      const answer = await override.answer(request, model);
      if (answer === undefined) continue;
      override.left -= 1;
      return answer;
    }
    return model();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the fake upstream has no port");

  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const find = (id?: string): KnowledgeBaseModel => {
    const found = world.knowledgeBases.find((kb) => id === undefined || kb.id === id);
    if (found === undefined) throw new Error(`the fake upstream has no knowledge base ${id ?? "at all"}`);
    return found;
  };

  return {
    url: `http://127.0.0.1:${address.port}${prefix}`,
    key,
    requests,
    get evidence() {
      return evidence;
    },
    set evidence(value: Evidence) {
      evidence = value;
    },
    count: (operation) => requests.filter((seen) => operation === undefined || seen.operation === operation).length,
    countReads: () => requests.filter((seen) => seen.operation !== "getKnowledgeBase").length,
    reset() {
      requests.length = 0;
      overrides = [];
    },
    knowledgeBase: find,
    fileId: (path, knowledgeBaseId) => find(knowledgeBaseId).fileId(path),
    on(which, answer, times = Number.POSITIVE_INFINITY) {
      const matches = typeof which === "function" ? which : (request: FakeRequest) => request.operation === which;
      const override: Override = { matches, answer, left: times };
      overrides = [override, ...overrides];
      return () => {
        overrides = overrides.filter((other) => other !== override);
      };
    },
    async until(condition) {
      while (!condition()) await once(events, "change");
    },
    connections: () => sockets.size,
    goAway: close,
    async comeBack() {
      server.listen(address.port, "127.0.0.1");
      await once(server, "listening");
    },
    closeIdleConnections: () => server.closeIdleConnections(),
    expireSearchCursors: () => cursors.clear(),
    close,
    [Symbol.asyncDispose]: close
  };
}
