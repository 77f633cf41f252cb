/** The six ways to ask the gateway for a read, and how an answer of each tells what became of it. */
import { expect } from "vitest";
import { send as sendQuestion } from "../faults/surfaces.ts";
import type { TestAnswer, TestGateway } from "../harness/gateway.ts";

export const SURFACES = ["graphql", "agent", "compact", "tool", "mirror", "mcp"] as const;
export type SurfaceName = (typeof SURFACES)[number];

/** What is asked, in the tools' words; each surface spells it its own way. */
export interface Args {
  /** A slug; `handbook` where left out. */
  readonly knowledgeBase?: string;
  readonly fileId?: string;
  readonly path?: string;
  readonly parentPath?: string;
  readonly entryType?: "file" | "directory";
  readonly query?: string;
  readonly mode?: string;
  readonly graphDepth?: number;
  readonly rerank?: true;
  readonly depth?: number;
  readonly fanout?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

/** One surface's form of a read. */
export interface Form {
  ask(gateway: TestGateway, args: Args, token: string | undefined): Promise<TestAnswer>;
  /** A successful answer in the form that REST gives it, without wrappers. */
  body(answer: TestAnswer): unknown;
  /** GraphQL's null for one thing that is not there. */
  absent?(answer: TestAnswer): boolean;
}

/** An error as every surface carries it. */
export interface SeenError {
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string;
}

export function get(url: (args: Args) => string, body: Form["body"] = (answer) => answer.body): Form {
  return { ask: (gateway, args, token) => gateway.get(url(args), { ...(token && { token }) }), body };
}

export function post(tool: string): Form {
  return {
    ask: (gateway, { knowledgeBase = "handbook", ...args }, token) =>
      gateway.post(`/agent/${knowledgeBase}/tools/${tool}`, args, { ...(token && { token }) }),
    body: (answer) => answer.body
  };
}

export function mcp(
  name: string,
  toArguments = (args: Args): object => ({ knowledgeBase: "handbook", ...args })
): Form {
  return {
    ask: (gateway, args, token) =>
      sendQuestion(
        gateway,
        { surface: "mcp", method: "tools/call", params: { name, arguments: toArguments(args) } },
        { ...(token && { token }) }
      ),
    body: ({ body }) => body.result.structuredContent
  };
}

/** The answer's error, which must be in its surface's own form; null for a success. */
export function errorOf(surface: SurfaceName, form: Form, answer: TestAnswer): SeenError | null {
  if (surface === "graphql") return graphqlError(form, answer);
  if (surface === "mcp") return mcpError(answer);
  const { status, headers, body } = answer;
  if (status === 200) return null;
  const { error, requestId } = body;
  expect([error.httpStatus, headers.get("x-request-id")]).toEqual([status, requestId]);
  const seen = seenError(error, requestId);
  expect(headers.get("retry-after")).toBe(seen.retryAfterSeconds === null ? null : String(seen.retryAfterSeconds));
  return seen;
}

function graphqlError(form: Form, { status, headers, body }: TestAnswer): SeenError | null {
  if (body.errors === undefined) {
    if (!form.absent?.({ status, headers, body, text: "" })) return null;
    const error = { code: "NOT_FOUND", message: "Resource was not found.", httpStatus: 404 };
    return seenError(error, headers.get("x-request-id") ?? "");
  }
  // One question has one error, however many fields were selected.
  expect(body.errors).toHaveLength(1);
  const [{ message, extensions, path }] = body.errors;
  const { requestId, retryAfterSeconds, ...error } = extensions;
  // A field's error leaves the answer its 200; so does what GraphQL itself refuses, for a client that says no more than JSON.
  expect(status).toBe(path === undefined && error.code !== "BAD_USER_INPUT" ? error.httpStatus : 200);
  const seen = seenError({ ...error, message }, requestId);
  expect(retryAfterSeconds ?? null).toBe(seen.retryAfterSeconds);
  return seen;
}

function mcpError({ status, body }: TestAnswer): SeenError | null {
  expect(status).toBe(200);
  const { result } = body;
  if (result.isError !== true) return null;
  expect(result).not.toHaveProperty("structuredContent");
  expect(result.content).toHaveLength(1);
  const { error, requestId } = JSON.parse(result.content[0].text);
  return seenError(error, requestId);
}

type Refusal = Pick<SeenError, "code" | "message" | "httpStatus"> & { readonly details?: SeenError["details"] };

function seenError({ code, message, httpStatus, details }: Refusal, requestId: string): SeenError {
  const wait = details?.retryAfterSeconds;
  return {
    code,
    message,
    httpStatus,
    details: details ?? null,
    retryAfterSeconds: typeof wait === "number" ? wait : null,
    requestId
  };
}
