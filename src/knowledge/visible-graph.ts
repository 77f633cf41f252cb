/** Relations, and the graph paths that go with them, as a caller may see them. Source: docs/invariants.md 2. */
import type { KnowledgeBaseAccess, OperationName } from "../policy/access.ts";
import { graphPathOf } from "../policy/generated.ts";
import type { GraphContext, GraphOverview, RelatedFile } from "../upstream/contract.ts";
import { type Row, sees, showRow } from "./visibility.ts";

/** Whether the file of an id may be seen; asked where a relation starts at a file that the answer does not hold. */
export type Lookup = (fileId: string) => Promise<boolean>;

/**
 * The relations, index by index, null where hidden: where the file is, or where it was reached only through a hidden one.
 * @param seeds ids of the file that was asked about, which is visible
 */
export async function showRelations(
  access: KnowledgeBaseAccess,
  relations: readonly RelatedFile[],
  operation: OperationName,
  seeds: readonly string[],
  lookup: Lookup
): Promise<(RelatedFile | null)[]> {
  if (!access.restricted(operation)) return relations.map((relation) => showRow(access, relation));
  // By path alone, so that what is shown does not depend on which relations happen to share an upstream page.
  const visible = new Map<string, boolean>();
  for (const relation of relations) {
    const shown = sees(access, relation, operation);
    visible.set(relation.fileId, shown);
    if (relation.sourceFileId) visible.set(relation.sourceFileId, shown);
  }
  for (const seed of seeds) visible.set(seed, true);
  return Promise.all(
    relations.map(async (relation) => {
      if (!sees(access, relation, operation)) return null;
      const from = relation.fromFileId;
      const reached = !from || (visible.get(from) ?? (await lookup(from)));
      return reached ? showRow(access, relation) : null;
    })
  );
}

/** Only the paths that belong to a shown page, and that a rule lets the caller open. */
export function showGraphPaths(
  access: KnowledgeBaseAccess,
  paths: readonly string[],
  operation: OperationName,
  shownPages: readonly string[]
): string[] {
  if (!access.restricted(operation)) return [...paths];
  const pages = new Set(shownPages.map(graphPathOf));
  return paths.filter((path) => pages.has(path) && sees(access, { path, sourceFileId: null }, operation));
}

/**
 * A search hit's surroundings; null where they were reached from another file, which is hidden, and so was the hit.
 *
 * Relationships need `expand_graph`, as if the hit had been expanded: a caller without it gets null, not a list.
 */
export async function showGraphContext(
  access: KnowledgeBaseAccess,
  hit: Row & { readonly fileId: string },
  context: GraphContext,
  lookupFor: (operation: OperationName) => Lookup
): Promise<GraphContext | null> {
  const own = [hit.fileId, hit.sourceFileId].filter((id) => typeof id === "string");
  const seed = context.seedSourceFileId ?? hit.fileId;
  if (!own.includes(seed) && access.restricted("search_files") && !(await lookupFor("search_files")(seed))) return null;
  const granted = access.operations.has("expand_graph");
  const around = granted && sees(access, hit, "expand_graph") ? (context.relationships ?? []) : [];
  const shown = await showRelations(access, around, "expand_graph", own, lookupFor("expand_graph"));
  const relations = shown.filter((row) => row !== null);
  const pages = [hit.path, ...relations.map((row) => row.path)];
  const graphRef = context.graphRef ?? null;
  const refShown = graphRef !== null && sees(access, { path: graphRef, sourceFileId: null }, "search_files");
  const paths = granted
    ? showGraphPaths(access, context.graphPaths ?? [], "expand_graph", pages)
    : (context.graphPaths ?? []).filter((path) => path === graphRef && refShown);
  return {
    ...context,
    graphRef: refShown ? graphRef : null,
    ...(context.relationships === undefined ? {} : { relationships: granted ? relations : null }),
    ...(context.graphPaths === undefined ? {} : { graphPaths: paths })
  };
}

/** The overview: links this caller can follow, and counts only where nothing is hidden. */
export function showOverview(access: KnowledgeBaseAccess, overview: GraphOverview): GraphOverview {
  const mayList = (path: string | null | undefined) =>
    access.operations.has("list_tree") &&
    (!access.restricted("list_tree") || (!!path && access.directory(path, "list_tree") === "visible"));
  const resources = overview.resources ?? {};
  const index = resources.graphIndexPath;
  const mayRead =
    access.operations.has("read_file") && (!index || sees(access, { path: index, sourceFileId: null }, "read_file"));
  const followable: Readonly<Record<string, boolean>> = {
    graphIndexContent: mayRead,
    listGraphRoot: mayList("_graph"),
    listRelationshipsByDirectory: mayList(resources.byDirectoryPath),
    listRelationshipsByFile: mayList(resources.byFilePath)
  };
  const actions = Object.entries(overview.readActions ?? {}).map(([link, href]) => [
    link,
    followable[link] ? href : null
  ]);
  const shown = { ...overview, readActions: overview.readActions ? Object.fromEntries(actions) : overview.readActions };
  if (!access.restricted("expand_graph")) return shown;
  const { summary } = overview;
  return {
    ...shown,
    availability: null,
    summary: summary ? { ...summary, readableFileCount: null, relationshipCount: null } : summary,
    resources: {
      ...resources,
      graphIndexPath: mayRead ? resources.graphIndexPath : null,
      byDirectoryPath: followable.listRelationshipsByDirectory ? resources.byDirectoryPath : null,
      byFilePath: followable.listRelationshipsByFile ? resources.byFilePath : null
    }
  };
}
