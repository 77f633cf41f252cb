/** One line a reader call, denied and cached ones included: who read what, how it ended, what it cost. */
import type { ErrorCode } from "../errors.ts";
import { toGatewayError } from "../errors.ts";
import type { Reading } from "./budget.ts";
import type { ReadSpans } from "./read-spans.ts";
import type { Awaitable, Surface } from "./types.ts";

export interface ReaderCall {
  readonly requestId: string;
  readonly tenant: string;
  readonly subject: string;
  readonly surface: Surface;
  readonly operation: string;
  readonly knowledgeBase: string | null;
  /** The file id or path asked for, where the call is about one file or directory. Never content, never a query. */
  readonly target: string | null;
  readonly outcome: "OK" | ErrorCode;
  /** Requests that this call sent or joined; 0 for an answer from the cache. */
  readonly upstreamCalls: number;
  /** The request id of the upstream answer that refused the call. */
  readonly upstreamRequestId: string | null;
  readonly milliseconds: number;
}

export type OnCall = (call: ReaderCall) => void;

/** Told the code of each error that an answer shows. */
export type OnError = (code: string) => void;

/** What every call of one reader has in common. */
export interface Auditor {
  readonly requestId: string;
  readonly tenant: string;
  readonly subject: string;
  readonly surface: Surface;
  readonly onCall: OnCall | undefined;
  readonly onError: OnError | undefined;
  readonly spans: ReadSpans;
}

type Call = Pick<ReaderCall, "operation" | "knowledgeBase"> & { readonly target?: string | null };

/** Runs a reader call in a span and writes its line, whichever way it ends. What is thrown at once rejects. */
export function audited<T>(auditor: Auditor, call: Call, reading: Reading, run: () => Promise<T>): Promise<T>;
export function audited<T>(auditor: Auditor, call: Call, reading: Reading, run: () => Awaitable<T>): Awaitable<T>;
export function audited<T>(auditor: Auditor, call: Call, reading: Reading, run: () => Awaitable<T>): Awaitable<T> {
  const started = performance.now();
  const span = auditor.spans.begin(call);
  const end = (outcome: ReaderCall["outcome"], upstreamRequestId: string | null) => {
    span.end(outcome, reading.upstreamCalls);
    // Member by member: copying an object but for some of its members costs more than all else that is done here.
    auditor.onCall?.({
      requestId: auditor.requestId,
      tenant: auditor.tenant,
      subject: auditor.subject,
      surface: auditor.surface,
      operation: call.operation,
      knowledgeBase: call.knowledgeBase,
      target: call.target ?? null,
      outcome,
      upstreamCalls: reading.upstreamCalls,
      upstreamRequestId,
      milliseconds: Math.round((performance.now() - started) * 10) / 10
    });
  };
  const succeed = (result: T): T => {
    end("OK", null);
    return result;
  };
  const fail = (thrown: unknown): Promise<never> => {
    const error = toGatewayError(thrown);
    end(error.code, error.requestId ?? null);
    return Promise.reject(thrown);
  };
  let result: Awaitable<T>;
  try {
    result = span.run(run);
  } catch (thrown) {
    return fail(thrown);
  }
  return result instanceof Promise ? result.then(succeed, fail) : succeed(result);
}
