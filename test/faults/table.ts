/**
 * The one table of faults: what an upstream does, and the code under which every surface must tell it.
 *
 * Every text that an upstream could say carries `MARKERS.body`, to be looked for where it must not appear.
 */
import type { ErrorCode } from "../../src/errors.ts";
import type { Operation } from "../../src/upstream/operations.ts";
import {
  bareCode,
  type FakeAnswer,
  type FakeHandler,
  type FakeResponse,
  type FaultName,
  refusal
} from "../harness/fake-upstream.ts";
import type { Ask } from "./ask.ts";

export const MARKERS = {
  prefix: "marker-of-the-prefix",
  key: "marker-of-the-key",
  body: "marker-of-the-body",
  header: "marker-of-a-header"
} as const;

export interface UpstreamFault {
  readonly name: string;
  /** The upstream ends all its connections and takes no new one; left out: it answers with `answer`. */
  readonly away?: true;
  readonly answer?: FakeAnswer | FakeHandler;
  readonly code: ErrorCode | "OK";
  /** Which asks it can happen to; left out: all. */
  readonly concerns?: (ask: Ask) => boolean;
  /** It ends at the upstream's time limit. */
  readonly slow?: true;
  /** The wait that must reach the caller. */
  readonly wait?: number;
}

const { body: marker } = MARKERS;
const onTheWire = (fault: FaultName, code: ErrorCode, more: Partial<UpstreamFault> = {}): UpstreamFault => ({
  name: fault,
  answer: { fault, marker, everyMs: 20 },
  code,
  ...more
});

/** A refusal as the upstream writes it, but full of what must not be shown. */
function refused(status: number, code: string, details: Readonly<Record<string, unknown>> = {}): FakeResponse {
  const answer = refusal(status, code, `${marker} Bearer ${MARKERS.key}`, {
    ...details,
    stack: `Error: ${marker} at /srv/app.js:1:1`,
    upstream: marker
  });
  return { ...answer, headers: { ...answer.headers, ...HEADERS } };
}

const HEADERS = {
  server: MARKERS.header,
  "x-powered-by": MARKERS.header,
  "set-cookie": `session=${MARKERS.header}`,
  "www-authenticate": `Bearer realm="${MARKERS.header}"`
};

const page = (status: number): FakeAnswer => ({ fault: "html", status, marker });
const status = (name: string, code: ErrorCode, answer: FakeAnswer, more: Partial<UpstreamFault> = {}) => ({
  name,
  answer,
  code,
  ...more
});

/** A healthy answer with one thing changed. */
const changed =
  (change: (body: Body) => unknown): FakeHandler =>
  (_, model) => {
    const answer = model();
    return { ...answer, body: change(answer.body as Body) };
  };

type Body = Record<string, unknown>;

const WRONG_TYPES: Readonly<Record<string, unknown>> = { string: 7, number: marker, boolean: [marker], object: marker };
const REQUIRED: ReadonlySet<string> = new Set([
  "path",
  "fileId",
  "knowledgeBaseId",
  "status",
  "product",
  "activeContentRevision"
]);

function withoutRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequired);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !REQUIRED.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutRequired(member)]));
}

const isSearch = (ask: Ask) => ask.operation === "searchGeneratedFiles";
/** Only these carry the label of a page, which is compared with the revision known before it was asked for. */
const LABELLED: ReadonlySet<Operation> = new Set([
  "listKnowledgeBaseTree",
  "searchGeneratedFiles",
  "listRelatedFiles",
  "expandGraph"
]);

/** Another answer that nobody asked for, on the same connection, which an unwary client takes for its next one. */
const UNSOLICITED = [
  "HTTP/1.1 200 OK",
  "content-type: application/json",
  "content-length: 35",
  "",
  `{"status":"${marker}","x":1}`
];

/** Connections that fail, and bytes that are no answer. */
export const BROKEN: readonly UpstreamFault[] = [
  { name: "refuses connections", away: true, code: "UPSTREAM_UNAVAILABLE" },
  onTheWire("close", "UPSTREAM_UNAVAILABLE"),
  onTheWire("reset", "UPSTREAM_UNAVAILABLE"),
  onTheWire("reset-in-headers", "UPSTREAM_UNAVAILABLE"),
  onTheWire("reset-in-body", "UPSTREAM_UNAVAILABLE"),
  onTheWire("wrong-length", "UPSTREAM_UNAVAILABLE"),
  onTheWire("cut-off", "UPSTREAM_UNAVAILABLE"),
  onTheWire("cut-off-chunks", "UPSTREAM_UNAVAILABLE"),
  onTheWire("hang", "UPSTREAM_TIMEOUT", { slow: true }),
  onTheWire("hang-in-headers", "UPSTREAM_TIMEOUT", { slow: true }),
  onTheWire("hang-in-body", "UPSTREAM_TIMEOUT", { slow: true }),
  onTheWire("drip", "UPSTREAM_TIMEOUT", { slow: true }),
  onTheWire("overlong", "UPSTREAM_INVALID_RESPONSE"),
  onTheWire("huge-headers", "UPSTREAM_INVALID_RESPONSE"),
  onTheWire("bad-chunks", "UPSTREAM_INVALID_RESPONSE"),
  onTheWire("not-http", "UPSTREAM_INVALID_RESPONSE"),
  onTheWire("cut-json", "UPSTREAM_INVALID_RESPONSE"),
  onTheWire("empty", "UPSTREAM_INVALID_RESPONSE"),
  onTheWire("gzip-bomb", "UPSTREAM_INVALID_RESPONSE"),
  status("a body of 1 GiB", "UPSTREAM_INVALID_RESPONSE", { fault: "huge-body", bytes: 2 ** 30 }),
  status("a page in place of JSON", "UPSTREAM_INVALID_RESPONSE", page(200)),
  status("another content type", "UPSTREAM_INVALID_RESPONSE", {
    raw: marker,
    headers: { "content-type": "text/plain" }
  }),
  status("an unknown encoding", "UPSTREAM_INVALID_RESPONSE", {
    raw: marker,
    headers: { "content-encoding": "snappy" }
  }),
  status("no gzip, though it says so", "UPSTREAM_INVALID_RESPONSE", {
    raw: marker,
    headers: { "content-encoding": "gzip" }
  }),
  status("a list in place of an object", "UPSTREAM_INVALID_RESPONSE", { body: [marker] }),
  status("null", "UPSTREAM_INVALID_RESPONSE", { body: null }),
  {
    name: "wrong types",
    answer: changed((body) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name, WRONG_TYPES[typeof value]]))
    ),
    code: "UPSTREAM_INVALID_RESPONSE"
  },
  { name: "missing required fields", answer: changed(withoutRequired), code: "UPSTREAM_INVALID_RESPONSE" }
];

/** Answers of every status, and answers that lie. */
export const ANSWERED: readonly UpstreamFault[] = [
  ...[301, 302, 303, 307, 308].map((code) =>
    status(`a redirect ${code}`, "UPSTREAM_INVALID_RESPONSE", {
      fault: "redirect",
      status: code,
      location: `http://${marker}.example/`
    })
  ),
  status("204", "UPSTREAM_INVALID_RESPONSE", { status: 204, headers: HEADERS }),
  status("206", "UPSTREAM_INVALID_RESPONSE", { status: 206, body: { [marker]: marker }, headers: HEADERS }),
  status("304", "UPSTREAM_INVALID_RESPONSE", { status: 304, headers: HEADERS }),
  status("400 with a code alone", "INVALID_PATH", bareCode(400, "INVALID_PATH")),
  status("400 with an unknown code", "UPSTREAM_INVALID_RESPONSE", refused(400, "MALFORMED")),
  status("401", "UPSTREAM_AUTHENTICATION_FAILED", refused(401, "UNAUTHORIZED")),
  status("403 of a proxy", "UPSTREAM_AUTHENTICATION_FAILED", page(403)),
  // Knowledge bases that are gone are none of those that a search over all of them is about.
  status("404", "NOT_FOUND", refused(404, "NOT_FOUND"), { concerns: ({ wide }) => wide !== true }),
  status("404 of a proxy", "UPSTREAM_INVALID_RESPONSE", page(404)),
  status("404 of an unknown route", "UPSTREAM_INVALID_RESPONSE", refused(404, "UNSUPPORTED_ROUTE")),
  status("409", "CONFLICT", refused(409, "CONFLICT")),
  status("413", "PAYLOAD_TOO_LARGE", refused(413, "PAYLOAD_TOO_LARGE")),
  status("418", "UPSTREAM_INVALID_RESPONSE", { status: 418, body: { [marker]: marker } }),
  status("422 naming a field", "VALIDATION_ERROR", refused(422, "VALIDATION_ERROR", { field: "parentPath" })),
  status("422 with an unknown code", "VALIDATION_ERROR", refused(422, marker.toUpperCase())),
  status("429 with a wait", "RATE_LIMITED", refused(429, "RATE_LIMITED", { retryAfterSeconds: 15 }), { wait: 15 }),
  status("429 without a wait", "RATE_LIMITED", refused(429, "RATE_LIMITED")),
  status("429 of a proxy", "RATE_LIMITED", page(429)),
  status("431 without JSON", "VALIDATION_ERROR", {
    status: 431,
    raw: marker,
    headers: { "content-type": "text/plain" }
  }),
  status("500", "INTERNAL_ERROR", refused(500, "INTERNAL_ERROR")),
  status("500 of a proxy", "INTERNAL_ERROR", page(500)),
  status("502 of a proxy", "UPSTREAM_UNAVAILABLE", page(502)),
  status("503 of a proxy", "UPSTREAM_UNAVAILABLE", page(503)),
  status("503 with an unknown code", "UPSTREAM_UNAVAILABLE", refused(503, "SOMETHING_NEW")),
  status("503 of the database", "DATABASE_REPOSITORY_UNAVAILABLE", refused(503, "DATABASE_REPOSITORY_UNAVAILABLE")),
  status("504 of a proxy", "UPSTREAM_TIMEOUT", page(504)),
  ...(["SEARCH_UNAVAILABLE", "SEARCH_OVERLOADED"] as const).map((code) =>
    status(`503 ${code}`, code, refused(503, code), { concerns: isSearch })
  ),
  status("504 SEARCH_TIMEOUT", "SEARCH_TIMEOUT", refused(504, "SEARCH_TIMEOUT"), { concerns: isSearch }),
  {
    name: "a search degraded in every family",
    answer: changed((body) => ({
      ...body,
      items: [],
      nextCursor: null,
      searchStatus: "no_candidates",
      semanticStatus: { state: "degraded", safeCode: "SEMANTIC_LANE_PARTIAL_FAILURE" },
      evidenceStatus: { completedFamilies: [], degradedFamilies: ["content_vector", "lexical", "file_graph"] }
    })),
    code: "SEARCH_UNAVAILABLE",
    concerns: isSearch
  },
  {
    name: "a label newer than every revision",
    answer: changed((body) => ({ ...body, activeContentRevision: 99 })),
    code: "VALIDATION_ERROR",
    concerns: ({ operation }) => LABELLED.has(operation)
  },
  {
    name: "duplicates in a page",
    answer: changed((body) => {
      const rows = body.items === undefined ? "relationships" : "items";
      const twice = (body[rows] as unknown[]).flatMap((row) => [row, row]);
      return { ...body, [rows]: twice };
    }),
    code: "OK",
    concerns: ({ list }) => list !== undefined
  },
  {
    name: "an unsolicited second response",
    answer: (_, model) => ({ ...model(), trailing: UNSOLICITED.join("\r\n") }),
    code: "OK"
  }
];

export const FAULTS: readonly UpstreamFault[] = [...BROKEN, ...ANSWERED];
