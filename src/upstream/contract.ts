/**
 * The wire contract of the Developer OpenAPI's read operations: what the gateway accepts from an upstream.
 *
 * Loose on purpose: unknown fields are kept, open sets are strings, and a field that some release lacks is optional, so
 * that one missing field never takes a list down. What a reader relies on (ids, paths, labels, cursors) is required.
 */
import * as z from "zod";

const text = z.string();
const revision = z.number().int().nonnegative();
/** A file listing of a knowledge base without content carries no revision: `null`. */
const label = revision.nullable();
const count = z.number().nonnegative();
const strings = z.array(text);

export const ReadActions = z.looseObject({
  fileDetailById: text.nullish(),
  fileContentById: text.nullish(),
  fileContentByPath: text.nullish(),
  relatedFilesById: text.nullish(),
  graphExpansionByFileId: text.nullish(),
  sourceFileStatusById: text.nullish()
});

export const KnowledgeBase = z.looseObject({
  knowledgeBaseId: text,
  name: text,
  description: text.nullish(),
  activeContentRevision: revision,
  resourceRevision: z.number().nullish(),
  createdAt: text,
  updatedAt: text
});

export const TreeEntry = z.looseObject({
  activeContentRevision: label.optional(),
  id: text,
  fileId: text.nullish(),
  sourceFileId: text.nullish(),
  directoryId: text.nullish(),
  parentPath: text,
  name: text,
  path: text,
  entryType: z.enum(["file", "directory"]),
  fileKind: text.nullish(),
  directEntryCount: count.nullish(),
  directDirectoryCount: count.nullish(),
  directFileCount: count.nullish(),
  descendantFileCount: count.nullish(),
  contentAvailable: z.boolean().nullish(),
  readActions: ReadActions.nullish()
});

export const OkfSignals = z.looseObject({
  effectiveStatus: text.nullish(),
  trustTier: text.nullish(),
  isStale: z.boolean().nullish(),
  staleAfter: text.nullish(),
  generatedAt: text.nullish(),
  generatedAtSource: text.nullish(),
  latestVerifiedAt: text.nullish(),
  sourceCount: count.nullish()
});

const frontmatter = z.record(text, z.unknown());

export const GeneratedFile = z.looseObject({
  activeContentRevision: revision,
  fileId: text,
  knowledgeBaseId: text.optional(),
  sourceFileId: text.nullish(),
  path: text,
  fileKind: text.nullish(),
  contentType: text.nullish(),
  sizeBytes: count.nullish(),
  okfType: text.nullish(),
  title: text.nullish(),
  description: text.nullish(),
  tags: strings.nullish(),
  frontmatter: frontmatter.nullish(),
  okfSignals: OkfSignals.nullish(),
  contentAvailable: z.boolean().nullish(),
  readActions: ReadActions.nullish()
});

export const RelatedFile = z.looseObject({
  activeContentRevision: revision.nullish(),
  fileId: text,
  sourceFileId: text.nullish(),
  path: text,
  title: text.nullish(),
  relationType: text,
  direction: text,
  weight: z.number().nullish(),
  reason: text.nullish(),
  fromFileId: text.nullish(),
  relationshipDepth: z.number().int().nonnegative().nullish(),
  contentAvailable: z.boolean().nullish(),
  readActions: ReadActions.nullish()
});

export const GraphContext = z.looseObject({
  graphRef: text.nullish(),
  depth: z.number().nullish(),
  seedSourceFileId: text.nullish(),
  relationships: z.array(RelatedFile).nullish(),
  graphPaths: strings.nullish()
});

export const SearchHit = z.looseObject({
  activeContentRevision: revision.nullish(),
  fileId: text,
  knowledgeBaseId: text.optional(),
  sourceFileId: text.nullish(),
  path: text,
  fileKind: text.nullish(),
  title: text.nullish(),
  description: text.nullish(),
  tags: strings.nullish(),
  frontmatter: frontmatter.nullish(),
  okfSignals: OkfSignals.nullish(),
  matchType: text.nullish(),
  matchedFields: strings.nullish(),
  evidenceTypes: strings.nullish(),
  sourceExcerpt: text.nullish(),
  score: z.number().nullish(),
  contentAvailable: z.boolean().nullish(),
  graphContext: GraphContext.nullish(),
  readActions: ReadActions.nullish()
});

/** A part of the service with its state and, where it is not well, a code that may be shown. */
const SafeStatus = z.looseObject({ state: text, safeCode: text.nullish() });
const cursor = text.nullable();

export const KnowledgeBaseList = z.looseObject({ items: z.array(KnowledgeBase), nextCursor: cursor });
export const KnowledgeBaseAnswer = z.looseObject({ knowledgeBase: KnowledgeBase });
export const Tree = z.looseObject({ activeContentRevision: label, items: z.array(TreeEntry), nextCursor: cursor });
export const FileAnswer = z.looseObject({ file: GeneratedFile });
export const FileContent = z.looseObject({ file: GeneratedFile, content: text });

export const Search = z.looseObject({
  activeContentRevision: label,
  items: z.array(SearchHit),
  nextCursor: cursor,
  searchStatus: text.nullish(),
  searchMode: text.nullish(),
  semanticStatus: SafeStatus.nullish(),
  evidenceStatus: z
    .looseObject({ completedFamilies: strings.nullish(), degradedFamilies: strings.nullish() })
    .nullish(),
  rerankerStatus: SafeStatus.nullish(),
  graphStatus: text.nullish(),
  graphSummary: z.looseObject({}).nullish(),
  resultSummary: z.looseObject({}).nullish(),
  message: text.nullish(),
  nextActions: strings.nullish()
});

export const Related = z.looseObject({
  activeContentRevision: label,
  fileId: text,
  sourceFileId: text.nullish(),
  items: z.array(RelatedFile),
  nextCursor: cursor,
  message: text.nullish(),
  nextActions: strings.nullish()
});

export const GraphExpansion = z.looseObject({
  activeContentRevision: label,
  seedFile: GeneratedFile.nullish(),
  relationships: z.array(RelatedFile),
  graphPaths: strings.nullish(),
  nextCursor: cursor,
  resultSummary: z.looseObject({}).nullish()
});

export const GraphOverview = z.looseObject({
  activeContentRevision: label,
  availability: text.nullish(),
  summary: z.looseObject({ readableFileCount: count.nullish(), relationshipCount: count.nullish() }).nullish(),
  resources: z
    .looseObject({ graphIndexPath: text.nullish(), byDirectoryPath: text.nullish(), byFilePath: text.nullish() })
    .nullish(),
  readActions: z.record(text, text.nullish()).nullish()
});

export const Health = z.looseObject({ status: text });
export const Version = z.looseObject({ product: text, version: text, apiVersion: text });

/** Any refusal. All parts are optional: some refusals carry a code alone. */
export const Refusal = z.looseObject({
  error: z.looseObject({
    code: text,
    message: text.nullish(),
    httpStatus: z.number().nullish(),
    details: z.looseObject({}).nullish()
  }),
  requestId: text.nullish()
});

export type ReadActions = z.infer<typeof ReadActions>;
export type KnowledgeBase = z.infer<typeof KnowledgeBase>;
export type TreeEntry = z.infer<typeof TreeEntry>;
export type OkfSignals = z.infer<typeof OkfSignals>;
export type GeneratedFile = z.infer<typeof GeneratedFile>;
export type RelatedFile = z.infer<typeof RelatedFile>;
export type GraphContext = z.infer<typeof GraphContext>;
export type SearchHit = z.infer<typeof SearchHit>;
export type KnowledgeBaseList = z.infer<typeof KnowledgeBaseList>;
export type Tree = z.infer<typeof Tree>;
export type FileContent = z.infer<typeof FileContent>;
export type Search = z.infer<typeof Search>;
export type Related = z.infer<typeof Related>;
export type GraphExpansion = z.infer<typeof GraphExpansion>;
export type GraphOverview = z.infer<typeof GraphOverview>;
export type Refusal = z.infer<typeof Refusal>;
