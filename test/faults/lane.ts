/** One fault over every ask: a fake upstream full of markers, a gateway before it, and what each case must show. */
import { expect } from "vitest";
import { ERRORS } from "../../src/errors.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway, type TestGatewayOptions } from "../harness/gateway.ts";
import { type Ask, type Page, SLUG, type Subject, subjectIn, WORD } from "./ask.ts";
import { ASKS } from "./asks.ts";
import { send, verdictOf } from "./surfaces.ts";
import { MARKERS, type UpstreamFault } from "./table.ts";

/** Long enough for a healthy answer on a busy machine. */
const SLOW_LIMIT_MS = 300;
const TIME_LIMIT_MS = 10_000;
const PATIENCE = 20;
/** A socket rests for a turn of the event loop after its answer, so that two take turns. */
const SOCKETS_AT_REST = 2;
const MOST_SOCKETS = 4;

const KNOWLEDGE_BASES = [
  {
    id: "knowledge-base-handbook",
    pages: ["one", "two", "three"].map((name) => ({
      path: `pages/${name}.md`,
      title: `Page ${name}`,
      tags: ["caching"],
      content: `# Page ${name}\n\nAbout the ${WORD}.\n`
    })),
    relations: ["two", "three"].map((name) => ({ from: "pages/one.md", to: `pages/${name}.md` }))
  },
  { id: "knowledge-base-other", pages: [{ path: "pages/other.md" }] }
];

export interface Lane extends AsyncDisposable {
  readonly upstream: FakeUpstream;
  readonly gateway: TestGateway;
  readonly subject: Subject;
  ask(ask: Ask, page?: Page): Promise<TestAnswer>;
  /** Another upstream client, without what the last one remembers of the upstream. */
  renew(): void;
  /** Everything in an answer or a log line that only the upstream or the configuration could have said. */
  readonly leaks: string[];
  /** Texts that were searched for markers. */
  readonly searched: number;
}

export async function startLane(timeoutMs = TIME_LIMIT_MS): Promise<Lane> {
  const { prefix, key } = MARKERS;
  const upstream = await fakeUpstream({ prefix: `/${prefix}`, key, knowledgeBases: KNOWLEDGE_BASES });
  const options = (limitMs: number): TestGatewayOptions => ({
    upstreams: { main: upstream },
    // Few slots: one that is not given back is missed soon.
    upstreamSettings: { timeoutMs: limitMs, rateLimit: { requests: 1_000_000 }, maxConcurrent: MOST_SOCKETS },
    knowledgeBases: { [SLUG]: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: { acme: { grants: [{ upstream: "main" }], limits: { requestsPerMinute: 1_000_000 } } },
    // Every read goes to the upstream, and its revision is checked every time.
    config: { cache: { maxBytes: 0, revisionCheckMs: 0 }, audit: { file: "-" } },
    // The machine may be busy with other tests; shedding load is not what is looked at here.
    loadBounds: { maxInFlight: 1_000, maxDelayMs: 60_000, delayCountsAbove: 1_000 }
  });
  const gateway = await startGateway(options(timeoutMs));
  const token = gateway.token("acme");
  const subject = subjectIn(upstream, "pages/one.md");
  const leaks: string[] = [];
  const secrets = [...Object.values(MARKERS), new URL(upstream.url).host];
  const search = (where: string, text: string, more: readonly string[] = []) => {
    for (const secret of [...secrets, ...more]) if (text.includes(secret)) leaks.push(`${secret} in ${where}: ${text}`);
  };
  let searched = 0;
  let renewals = 0;
  let read = 0;
  const searchLog = () => {
    const lines = gateway.written.slice(read);
    for (const line of lines) search("the log", line, [token]);
    read += lines.length;
    searched += lines.length;
  };

  return {
    upstream,
    gateway,
    subject,
    leaks,
    get searched() {
      return searched;
    },
    async ask(ask, page = {}) {
      const answer = await send(gateway, ask.question(subject, page), { token });
      search(`${ask.operation}, ${ask.as}`, `${answer.text} ${JSON.stringify([...answer.headers])}`);
      searched += 1;
      searchLog();
      return answer;
    },
    renew() {
      renewals += 1;
      gateway.reload(options(timeoutMs + renewals));
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      searchLog();
      // None is left open by anything that went wrong.
      await upstream.until(() => upstream.connections() === 0);
      await upstream.close();
    }
  };
}

export interface LaneReport {
  readonly cases: number;
  readonly searched: number;
}

/** Cases that end at a time limit do nothing but wait, so that some can wait side by side. */
const LANES_OF_SLOW = 4;

/** Every ask that the fault concerns: healthy, faulty, healthy again. */
export async function runFault(fault: UpstreamFault): Promise<LaneReport> {
  const asks = ASKS.filter((ask) => fault.concerns?.(ask) ?? true);
  const lanes = fault.slow ? LANES_OF_SLOW : 1;
  const reports = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      runLane(
        fault,
        asks.filter((_ask, index) => index % lanes === lane)
      )
    )
  );
  return { cases: asks.length, searched: reports.reduce((sum, searched) => sum + searched, 0) };
}

/** One ask after the other. @returns how many texts were searched */
async function runLane(fault: UpstreamFault, asks: readonly Ask[]): Promise<number> {
  const lane = await startLane(fault.slow ? SLOW_LIMIT_MS : TIME_LIMIT_MS);
  {
    await using _ = lane;
    for (const ask of asks) await runCase(lane, fault, ask);
  }
  expect(lane.leaks).toEqual([]);
  return lane.searched;
}

/** The healthy answer to each ask. Ids, cursors and so all answers are the same in every lane. */
const healthyAnswers = new Map<Ask, TestAnswer>();

async function healthyAnswer(lane: Lane, ask: Ask): Promise<TestAnswer> {
  const known = healthyAnswers.get(ask);
  if (known !== undefined) return known;
  const answer = await lane.ask(ask);
  expect([ask.operation, ask.as, verdictOf(ask.surface, answer).code]).toEqual([ask.operation, ask.as, "OK"]);
  healthyAnswers.set(ask, answer);
  return answer;
}

async function runCase(lane: Lane, fault: UpstreamFault, ask: Ask): Promise<void> {
  const { upstream } = lane;
  const named = `${ask.operation}, ${ask.as}`;
  const healthy = await healthyAnswer(lane, ask);

  const back = await begin(upstream, fault, ask);
  const faulty = await lane.ask(ask);
  expectVerdict(faulty, fault, ask, healthy);
  await back();

  if (fault.wait !== undefined) {
    const before = upstream.count();
    const { code } = verdictOf(ask.surface, await lane.ask(ask));
    expect([named, code, upstream.count()]).toEqual([named, "RATE_LIMITED", before]);
    lane.renew();
  }
  let again = await lane.ask(ask);
  // On a busy machine a healthy answer may be too late as well, but not time after time, as where a slot was lost.
  for (let tries = 0; fault.slow && tries < PATIENCE && isLate(ask, again); tries += 1) again = await lane.ask(ask);
  expect([named, again.status, again.body]).toEqual([named, healthy.status, healthy.body]);

  await upstream.until(() => upstream.requests.every(({ finished, aborted }) => finished || aborted));
  await upstream.until(() => upstream.connections() <= (ask.wide ? MOST_SOCKETS : SOCKETS_AT_REST));
  upstream.requests.length = 0;
}

function isLate({ surface }: Ask, answer: TestAnswer): boolean {
  return verdictOf(surface, answer).code === "UPSTREAM_TIMEOUT";
}

/** @returns ends the fault */
async function begin(upstream: FakeUpstream, fault: UpstreamFault, { operation }: Ask): Promise<() => unknown> {
  if (fault.answer !== undefined) return upstream.on(operation, fault.answer);
  await upstream.goAway();
  return () => upstream.comeBack();
}

function expectVerdict(faulty: TestAnswer, fault: UpstreamFault, ask: Ask, healthy: TestAnswer): void {
  const named = `${ask.operation}, ${ask.as}`;
  if (fault.code === "OK") {
    expect([named, faulty.status, faulty.body]).toEqual([named, healthy.status, healthy.body]);
    return;
  }
  // What GraphQL says of one thing that is not there: null, as of one that is hidden.
  if (fault.code === "NOT_FOUND" && ask.surface === "graphql" && isNull(faulty)) return;
  const { code, httpStatus, requestId, retryAfterSeconds } = verdictOf(ask.surface, faulty);
  expect([named, code, httpStatus]).toEqual([named, fault.code, ERRORS[fault.code].httpStatus]);
  expect(requestId).toMatch(/^req-[0-9a-f-]{36}$/);
  expect([named, retryAfterSeconds]).toEqual([named, fault.wait ?? null]);
  if (ask.surface !== "graphql" && ask.surface !== "mcp") expect(faulty.status).toBe(httpStatus);
}

function isNull({ body }: TestAnswer): boolean {
  const knowledgeBase = body.data?.knowledgeBase;
  return body.errors === undefined && (knowledgeBase === null || knowledgeBase?.file === null);
}
