/** What went wrong on the wire: the cause of a GatewayError, for logs and for the layers that decide on a retry. */
export class WireFailure extends Error {
  override readonly name = "WireFailure";
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;
  /** A symbolic error code such as ECONNRESET, where there was none. */
  readonly code: string | null;

  /** @param message shown in logs; holds nothing that was received or configured */
  constructor(message: string, status: number | null = null, code: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }

  static ofStatus(status: number): WireFailure {
    return new WireFailure(`HTTP ${status}`, status);
  }

  /** The connection ended in the middle of an answer, in good order. */
  static ofCutOff(): WireFailure {
    return new WireFailure("answer cut off", null, "UND_ERR_SOCKET");
  }

  /**
   * Keeps of a socket, TLS or parser error its code alone: the messages of such errors name addresses, and some quote
   * what was received. Source: docs/invariants.md 4.
   */
  static ofError(error: unknown): WireFailure {
    const code = codeOf(error);
    return new WireFailure(code ?? "connection failed", null, code);
  }
}

/** The code of an error or of the first error that caused it. */
function codeOf(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = innerOf(at), depth += 1) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(at.code)) return at.code;
  }
  return null;
}

/** A connection tried on several addresses fails with all their errors in one. */
function innerOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}
