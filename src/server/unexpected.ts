/**
 * What the log says of an error that nobody foresaw.
 *
 * Messages of foreign errors quote what they choked on: addresses, keys, parts of a body. Only the language's own
 * errors about the gateway's own code are quoted; of all others the kind and the place are enough to find the cause.
 */
const OWN_WORDS: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError"]);
const MAX_CAUSES = 5;

export interface UnexpectedError {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  /** Frames without the message that a stack begins with. */
  readonly at: readonly string[];
}

/** The error and what caused it, outermost first. */
export function describeUnexpected(thrown: unknown): readonly UnexpectedError[] {
  const described: UnexpectedError[] = [];
  for (let error = thrown; error !== undefined && described.length < MAX_CAUSES; ) {
    if (!(error instanceof Error)) return [...described, { name: typeof error, at: [] }];
    described.push(describe(error));
    error = error.cause;
  }
  return described;
}

function describe(error: Error): UnexpectedError {
  const { message: quoted, stack = "" } = error;
  const afterMessage = stack.slice(Math.max(0, stack.indexOf(quoted)) + quoted.length);
  const frames = afterMessage.split("\n").filter((line) => line.startsWith("    at "));
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const message = OWN_WORDS.has(error.name) ? { message: error.message } : {};
  return { name: error.name, ...code, ...message, at: frames.map((line) => line.trim().slice("at ".length)) };
}
