/** How each surface is asked, and how its answer says what became of it. */
import type { TestAnswer, TestGateway } from "../harness/gateway.ts";

export type SurfaceName = "graphql" | "agent" | "tool" | "mirror" | "mcp";

/** What one request is made of. */
export type Question =
  | { readonly surface: "graphql"; readonly query: string; readonly variables: Readonly<Record<string, unknown>> }
  | { readonly surface: "agent" | "mirror"; readonly path: string }
  | { readonly surface: "tool"; readonly path: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly surface: "mcp"; readonly method: string; readonly params: Readonly<Record<string, unknown>> };

/** An error as every surface carries it, or `OK`. */
export interface Verdict {
  readonly code: string;
  readonly httpStatus: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

export function send(
  gateway: TestGateway,
  question: Question,
  request: { readonly token?: string; readonly signal?: AbortSignal } = {}
): Promise<TestAnswer> {
  switch (question.surface) {
    case "graphql":
      return gateway.graphql(question.query, question.variables, request);
    case "agent":
    case "mirror":
      return gateway.get(question.path, request);
    case "tool":
      return gateway.post(question.path, question.args, request);
    case "mcp": {
      const { method, params } = question;
      const headers = { accept: "application/json, text/event-stream" };
      return gateway.post("/mcp", { jsonrpc: "2.0", id: 1, method, params }, { ...request, headers });
    }
  }
}

const OK: Verdict = { code: "OK", httpStatus: 200, requestId: null, retryAfterSeconds: null };

/** @throws Error for an answer that is neither a success nor an error in the surface's own form */
export function verdictOf(surface: SurfaceName, { status, body, text }: TestAnswer): Verdict {
  const error = errorIn(surface, body);
  if (error === null && status === 200) return OK;
  if (typeof error?.code !== "string") throw new Error(`no error in its surface's form: ${status} ${text}`);
  return {
    code: error.code,
    httpStatus: error.httpStatus,
    requestId: error.requestId ?? null,
    retryAfterSeconds: error.retryAfterSeconds ?? error.details?.retryAfterSeconds ?? null
  };
}

function errorIn(surface: SurfaceName, body: TestAnswer["body"]) {
  if (surface === "graphql") return body.errors === undefined ? null : body.errors[0].extensions;
  if (surface === "mcp") {
    if (body.error !== undefined) return body.error.data;
    if (body.result?.isError !== true) return null;
    // Clients validate structured content even on errors, so that there must be none.
    if ("structuredContent" in body.result) throw new Error("an error with structured content");
    return envelope(JSON.parse(body.result.content[0].text));
  }
  return envelope(body);
}

function envelope(body: TestAnswer["body"]) {
  return body.error === undefined ? null : { ...body.error, requestId: body.requestId };
}
