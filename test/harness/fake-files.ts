/** The wire shapes of files: tree entries, details, related files, and the links they carry. */
import {
  baseName,
  type FakeFile,
  type FakeRelation,
  graphPathOf,
  type KnowledgeBaseModel,
  parentOf
} from "./fake-model.ts";

const base = "/openapi/v2/knowledge-bases";

export function readActions(kb: KnowledgeBaseModel, file: FakeFile): Record<string, string | null> {
  const root = `${base}/${kb.id}`;
  const byId = `${root}/files/${file.id}`;
  const source = file.page !== null;
  return {
    fileDetailById: byId,
    fileContentById: `${byId}/content`,
    fileContentByPath: `${root}/files/content?path=${encodeURIComponent(file.path)}`,
    relatedFilesById: source ? `${byId}/related` : null,
    graphExpansionByFileId: source ? `${root}/graph/expand?fileId=${file.id}` : null,
    sourceFileStatusById: source ? `${root}/source-files/${file.id}` : null
  };
}

export function fileDetail(kb: KnowledgeBaseModel, file: FakeFile, label: number) {
  const page = file.page;
  const frontmatter = page?.frontmatter ?? {};
  return {
    activeContentRevision: label,
    fileId: file.id,
    knowledgeBaseId: kb.id,
    sourceFileId: page === null ? null : file.id,
    path: file.path,
    fileKind: file.detailKind,
    contentType: file.path.endsWith(".json") ? "application/json; charset=utf-8" : "text/markdown; charset=utf-8",
    sizeBytes: Buffer.byteLength(file.content),
    okfType: typeof frontmatter.type === "string" ? frontmatter.type : null,
    title: file.title,
    description: page?.description ?? null,
    tags: page?.tags ?? [],
    frontmatter,
    okfSignals: okfSignals(frontmatter),
    deletable: page !== null,
    contentAvailable: true,
    readActions: readActions(kb, file)
  };
}

export function okfSignals(frontmatter: Readonly<Record<string, unknown>>) {
  const verified = Array.isArray(frontmatter.verified) ? frontmatter.verified : [];
  const by = verified.map((entry) => String(entry?.by ?? ""));
  const staleAfter = typeof frontmatter.stale_after === "string" ? frontmatter.stale_after : null;
  return {
    effectiveStatus: typeof frontmatter.status === "string" ? frontmatter.status : "stable",
    trustTier: by.some((name) => name.startsWith("human:"))
      ? "human-reviewed"
      : by.length > 0
        ? "machine-confirmed"
        : "unverified",
    isStale: staleAfter === null ? null : Date.parse(staleAfter) < Date.now(),
    staleAfter,
    generatedAt: null,
    generatedAtSource: null,
    latestVerifiedAt: null,
    sourceCount: 0
  };
}

export function fileEntry(kb: KnowledgeBaseModel, file: FakeFile, label: number) {
  const source = file.page !== null;
  return {
    activeContentRevision: label,
    id: file.id,
    fileId: file.id,
    sourceFileId: source ? file.id : null,
    directoryId: null,
    parentPath: parentOf(file.path),
    name: baseName(file.path),
    path: file.path,
    sortKey: `${file.path}:${file.id}`,
    entryType: "file",
    fileKind: file.treeKind,
    directEntryCount: 0,
    directDirectoryCount: 0,
    directFileCount: 0,
    descendantFileCount: 0,
    resourceRevision: source ? 1 : null,
    deletable: source,
    contentAvailable: true,
    readActions: readActions(kb, file)
  };
}

/** `paths` are all files, `directories` all directories of the knowledge base; only uploaded files count as descendants. */
export function directoryEntry(
  kb: KnowledgeBaseModel,
  path: string,
  files: Iterable<FakeFile>,
  directories: readonly string[],
  label: number
) {
  const uploaded = path.startsWith("pages/");
  const below = [...files].filter((file) => file.path.startsWith(`${path}/`));
  const directFiles = below.filter((file) => parentOf(file.path) === path).length;
  const directDirectories = directories.filter((directory) => parentOf(directory) === path).length;
  const id = kb.directoryId(path);
  return {
    activeContentRevision: label,
    id,
    fileId: null,
    sourceFileId: null,
    directoryId: uploaded ? id : null,
    parentPath: parentOf(path),
    name: baseName(path),
    path,
    sortKey: `${path}:${id}`,
    entryType: "directory",
    fileKind: null,
    directEntryCount: directFiles + directDirectories,
    directDirectoryCount: directDirectories,
    directFileCount: directFiles,
    descendantFileCount: below.filter((file) => file.page !== null).length,
    resourceRevision: uploaded ? 1 : 0,
    deletable: uploaded,
    contentAvailable: false,
    readActions: null
  };
}

/** One relation as seen from a file: the other end, and how it is reached. */
export interface Neighbor {
  readonly from: FakeFile;
  readonly to: FakeFile;
  readonly direction: string;
  readonly relation: FakeRelation;
}

/** A page's relations in the order in which they were written, those to pages that are gone left out. */
export function neighborsOf(kb: KnowledgeBaseModel, file: FakeFile): Neighbor[] {
  const files = kb.files();
  return kb.relations.flatMap((relation) => {
    const outgoing = relation.from === file.path;
    if (!outgoing && relation.to !== file.path) return [];
    const to = files.get(outgoing ? relation.to : relation.from);
    const direction = relation.direction ?? "outgoing";
    return to === undefined
      ? []
      : [{ from: file, to, relation, direction: outgoing ? direction : (OPPOSITE[direction] ?? direction) }];
  });
}

const OPPOSITE: Readonly<Record<string, string>> = { outgoing: "incoming", incoming: "outgoing" };

export function relatedFile(kb: KnowledgeBaseModel, neighbor: Neighbor, depth: number, label: number) {
  const { from, to, direction, relation } = neighbor;
  return {
    activeContentRevision: label,
    fileId: to.id,
    sourceFileId: to.id,
    path: to.path,
    title: to.title,
    relationType: relation.relationType ?? "related",
    direction,
    fromFileId: from.id,
    relationshipDepth: relation.depth ?? depth,
    ...(relation.weight === undefined ? {} : { weight: relation.weight }),
    reason: relation.reason ?? null,
    contentAvailable: true,
    readActions: readActions(kb, to)
  };
}

/**
 * Relations around a seed, nearest first: at most `fanout` of each file reached, none back to the seed.
 * @returns each with the number of steps from the seed
 */
export function walk(
  kb: KnowledgeBaseModel,
  seed: FakeFile,
  depth: number,
  fanout: number
): { readonly neighbor: Neighbor; readonly depth: number }[] {
  const found: { neighbor: Neighbor; depth: number }[] = [];
  const visited = new Set([seed.id]);
  let frontier = [seed];
  for (let step = 1; step <= depth; step += 1) {
    const next: FakeFile[] = [];
    for (const file of frontier) {
      for (const neighbor of neighborsOf(kb, file).slice(0, fanout)) {
        if (neighbor.to.id === seed.id) continue;
        found.push({ neighbor, depth: step });
        if (!visited.has(neighbor.to.id)) next.push(neighbor.to);
        visited.add(neighbor.to.id);
      }
    }
    frontier = next;
  }
  return found;
}

/** The graph files of a seed and of every file that its relations reach, each once. */
export function graphPaths(seed: FakeFile, reached: readonly { readonly path: string }[]): string[] {
  return [...new Set([seed.path, ...reached.map(({ path }) => path)])].map(graphPathOf);
}
