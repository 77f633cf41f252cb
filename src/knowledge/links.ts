/**
 * The links in the upstream's answers: which operation each needs, and which can never be followed at the gateway.
 *
 * Those are closed once, when an answer arrives, and not on each read: what an open caller gets is then the shared
 * answer itself. Source: docs/invariants.md 1.
 */
import type { OperationName } from "../policy/access.ts";
import type { ReadActions } from "../upstream/contract.ts";

/** A link that this table does not know leads nowhere here: source files, and what later releases may add. */
export const LINK_OPERATIONS: ReadonlyMap<string, OperationName> = new Map([
  ["fileDetailById", "get_file"],
  ["fileContentById", "read_file"],
  ["fileContentByPath", "read_file"],
  ["relatedFilesById", "read_related"],
  ["graphExpansionByFileId", "expand_graph"]
]);

interface Linked {
  readonly readActions?: ReadActions | null | undefined;
}

/** The places, in any operation's answer, where rows with links stand. */
interface LinkedAnswer {
  readonly file?: Linked | null;
  readonly seedFile?: Linked | null;
  readonly items?: readonly (Linked & { readonly graphContext?: LinkedAnswer | null })[];
  readonly relationships?: readonly Linked[] | null;
}

/** A link that leads nowhere here, as it was before it was closed. */
export interface ClosedLink {
  readonly link: string;
  readonly href: unknown;
}

/**
 * Changes the answer in place: only for one that nobody else has seen yet. The overview's links are of another kind.
 * @returns what was closed
 */
export function closeLinks(body: object): readonly ClosedLink[] {
  const closed: ClosedLink[] = [];
  closeIn(body, closed);
  return closed;
}

function closeIn(body: object, closed: ClosedLink[]): void {
  const { file, seedFile, items, relationships } = body as LinkedAnswer;
  close(file, closed);
  close(seedFile, closed);
  for (const row of relationships ?? []) close(row, closed);
  for (const row of items ?? []) {
    close(row, closed);
    if (row.graphContext) closeIn(row.graphContext, closed);
  }
}

function close(row: Linked | null | undefined, closed: ClosedLink[]): void {
  const actions = row?.readActions as Record<string, unknown> | null | undefined;
  for (const link in actions) {
    if (LINK_OPERATIONS.has(link) || actions[link] === null) continue;
    closed.push({ link, href: actions[link] });
    actions[link] = null;
  }
}
