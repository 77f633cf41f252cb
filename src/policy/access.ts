/** What a caller may see, as the rooms above ask it. Pure: no clock, no network. Source: docs/invariants.md 2. */
import type { Limits, OperationName } from "../config/schema.ts";

export type { Limits, OperationName } from "../config/schema.ts";
export { OPERATION_NAMES } from "../config/schema.ts";

/** A file as a decision needs it. `generated` is true for what the upstream made: indexes, logs, graph, navigation. */
export interface FileTarget {
  /** Without a leading slash, as the upstream returned it; decided on in NFC. */
  readonly path: string;
  readonly generated: boolean;
}

export interface Decision {
  readonly allowed: boolean;
  /** The rule that decided, in words for a platform engineer; never shown to callers. */
  readonly rule: string;
  /** Where that rule stands in the configuration: `["tenants", "acme", "grants", 0, "paths", "deny", 1]`. */
  readonly at?: readonly (string | number)[];
}

/** `unknown`: the rules alone do not tell whether anything visible lies in the directory. */
export type DirectoryDecision = "visible" | "hidden" | "unknown";

/** One knowledge base, as one caller may use it. */
export interface KnowledgeBaseAccess {
  /** The configuration's slug, or the upstream id where it has none. */
  readonly key: string;
  readonly id: string;
  readonly upstream: string;
  readonly operations: ReadonlySet<OperationName>;
  /** False where nothing is hidden from this operation, so that answers may pass unfiltered. */
  restricted(operation: OperationName): boolean;
  /** Whether the operation may show this file. Asked for an operation that is not granted, the answer is no. */
  file(target: FileTarget, operation: OperationName): Decision;
  /** Whether the operation may show this directory; root is `""`. */
  directory(path: string, operation: OperationName): DirectoryDecision;
}

/** Everything a caller may reach. Built once a request from one version of the configuration. */
export interface CallerAccess {
  readonly tenant: string;
  readonly subject: string;
  readonly limits: Limits;
  /** Granted by name, in the configuration's order; without those of `wholeUpstreams`. */
  readonly named: readonly KnowledgeBaseAccess[];
  /** Every granted knowledge base that the configuration names, those of `wholeUpstreams` included. */
  readonly known: readonly KnowledgeBaseAccess[];
  /** Upstreams of which every knowledge base is granted, in the configuration's order. */
  readonly wholeUpstreams: readonly string[];
  /**
   * The granted knowledge bases that a slug or upstream id may mean, most often one or none. More than one only where
   * several upstreams are granted whole and the id has no entry in the configuration: the first that exists is meant.
   */
  candidates(key: string): readonly KnowledgeBaseAccess[];
  /** A knowledge base that a listing of an upstream named; null where it is not granted. */
  forId(upstream: string, id: string): KnowledgeBaseAccess | null;
}
