/** Related files and graph expansion of one knowledge base. docs/invariants.md 2 and 5. */
import { graphPathOf } from "../policy/generated.ts";
import type { GraphExpansion, GraphOverview, Related, RelatedFile } from "../upstream/contract.ts";
import { checkId } from "../upstream/ids.ts";
import type { Binding } from "./binding.ts";
import { checkBounds } from "./bounds.ts";
import { proveVisible, readOfContent } from "./files.ts";
import { extraOf, pageParameters, readList, type Shown } from "./list.ts";
import { LISTS } from "./lists.ts";
import { lookupOf } from "./search.ts";
import type { ExpandArgs, Page, PageInput } from "./types.ts";
import { showFile } from "./visibility.ts";
import { showGraphPaths, showOverview, showRelations } from "./visible-graph.ts";

export function related(binding: Binding, fileId: string, page: PageInput): Promise<Page<RelatedFile, Related>> {
  return binding.call("listRelatedFiles", "read_related", fileId, async (reading) => {
    checkId("fileId", fileId);
    return readList<RelatedFile, Related>(
      { cursors: binding.cursors, pageSize: binding.request.limits.pageSize },
      {
        list: LISTS.related,
        operation: "listRelatedFiles",
        scope: binding.scope("listRelatedFiles", { fileId }),
        restricted: binding.access.restricted("read_related"),
        learned: binding.learned("listRelatedFiles"),
        prove: () => proveVisible(binding, fileId, "read_related", reading),
        revision: (fresh) => binding.revision(reading, fresh),
        fetch: async (cursor, limit, revision, verbatim) => {
          const query = { ...verbatim?.query, ...pageParameters(cursor, limit) };
          const body = await binding.read(
            "listRelatedFiles",
            { ids: { fileId }, query, ...extraOf(verbatim) },
            reading,
            revision
          );
          return { body, rows: body.items, next: body.nextCursor, label: body.activeContentRevision };
        },
        show: (rows, body) =>
          showRelations(
            binding.access,
            rows,
            "read_related",
            seedsOf(fileId, body),
            lookupOf(binding, "read_related", reading)
          ),
        identity: identityOf,
        finish: (shown) => finishRelated(binding, fileId, shown)
      },
      page
    );
  });
}

export function expand(
  binding: Binding,
  args: ExpandArgs,
  page: PageInput
): Promise<Page<RelatedFile, GraphExpansion>> {
  const { fileId, depth, fanout } = args;
  return binding.call("expandGraph", "expand_graph", fileId, async (reading) => {
    // The mirror's caller may leave the id out; the upstream then tells what is missing.
    if (page.verbatim === undefined || fileId !== "") checkId("fileId", fileId);
    if (page.verbatim === undefined) checkBounds({ depth, fanout });
    const asked = {
      ...(fileId === "" ? {} : { fileId }),
      ...(depth === undefined ? {} : { depth: String(depth) }),
      ...(fanout === undefined ? {} : { fanout: String(fanout) })
    };
    return readList<RelatedFile, GraphExpansion>(
      { cursors: binding.cursors, pageSize: binding.request.limits.pageSize },
      {
        list: LISTS.expand,
        operation: "expandGraph",
        scope: binding.scope("expandGraph", { fileId, depth: depth ?? 1, fanout: fanout ?? 10 }),
        restricted: binding.access.restricted("expand_graph"),
        learned: binding.learned("expandGraph"),
        prove: async () => {
          if (fileId !== "") await proveVisible(binding, fileId, "expand_graph", reading);
        },
        revision: (fresh) => binding.revision(reading, fresh),
        fetch: async (cursor, limit, revision, verbatim) => {
          const query = { ...(verbatim?.query ?? asked), ...pageParameters(cursor, limit) };
          const input = { query, ...extraOf(verbatim) };
          const body = await readOfContent(binding, "expandGraph", input, reading, revision);
          return { body, rows: body.relationships, next: body.nextCursor, label: body.activeContentRevision };
        },
        show: (rows, body) => {
          const seeds = seedsOf(fileId, body.seedFile ?? {});
          return showRelations(binding.access, rows, "expand_graph", seeds, lookupOf(binding, "expand_graph", reading));
        },
        identity: identityOf,
        finish: (shown) => finishExpansion(binding, shown)
      },
      page
    );
  });
}

export function overview(binding: Binding): Promise<GraphOverview> {
  return binding.call("getGraphOverview", "expand_graph", null, async (reading) => {
    return showOverview(binding.access, await readOfContent(binding, "getGraphOverview", {}, reading));
  });
}

function finishRelated(binding: Binding, fileId: string, shown: Shown<RelatedFile, Related>): Related {
  const { rows, bodies, revision } = shown;
  const body: Related = bodies[0] ?? { activeContentRevision: revision, fileId, items: [], nextCursor: null };
  const page = { ...body, items: [...rows], nextCursor: null };
  if (!binding.access.restricted("read_related")) return page;
  // What the upstream says of an empty list would tell one that is empty from one of which nothing is visible.
  const { message: _message, nextActions: _nextActions, ...rest } = page;
  return rest;
}

function finishExpansion(binding: Binding, shown: Shown<RelatedFile, GraphExpansion>): GraphExpansion {
  const { rows, bodies, hasNextPage, revision, untouched } = shown;
  const body: GraphExpansion = bodies[0] ?? { activeContentRevision: revision, relationships: [], nextCursor: null };
  const seedFile = body.seedFile ? showFile(binding.access, body.seedFile, "expand_graph") : body.seedFile;
  const page = {
    ...body,
    ...(body.seedFile === undefined ? {} : { seedFile }),
    relationships: [...rows],
    nextCursor: null
  };
  if (untouched) return page;
  const pages = [...(seedFile ? [seedFile.path] : []), ...rows.map((row) => row.path)];
  const paths = [...new Set(bodies.flatMap((each) => each.graphPaths ?? []))];
  const own = new Set(pages.map(graphPathOf));
  return {
    ...page,
    graphPaths: showGraphPaths(
      binding.access,
      paths.filter((path) => own.has(path)),
      "expand_graph",
      pages
    ),
    resultSummary: {
      ...(binding.access.restricted("expand_graph") ? asked(body.resultSummary) : body.resultSummary),
      relationshipCount: rows.length,
      hasMore: hasNextPage
    }
  };
}

/** Of a summary, what repeats the question; what else a release may count, it counts over hidden files too. */
function asked(summary: GraphExpansion["resultSummary"]): object {
  const { depth, fanout } = { depth: undefined, fanout: undefined, ...summary };
  return { ...(depth === undefined ? {} : { depth }), ...(fanout === undefined ? {} : { fanout }) };
}

function seedsOf(fileId: string, seed: { fileId?: string | null; sourceFileId?: string | null | undefined }): string[] {
  return [fileId, seed.fileId, seed.sourceFileId].filter((id) => typeof id === "string");
}

/** A pair of files may be related in more than one way. */
function identityOf(row: RelatedFile): string {
  return JSON.stringify([row.fileId, row.fromFileId, row.relationType, row.direction]);
}
