/**
 * The schemas of whole answers, for surfaces that publish them: as values what `types.ts` re-exports as types, so that
 * surfaces need not import the upstream's room.
 */
export {
  FileAnswer,
  FileContent,
  GeneratedFile,
  GraphContext,
  GraphExpansion,
  GraphOverview,
  Health,
  KnowledgeBase,
  KnowledgeBaseAnswer,
  KnowledgeBaseList,
  OkfSignals,
  ReadActions,
  Related,
  RelatedFile,
  Search,
  SearchHit,
  Tree,
  TreeEntry,
  Version
} from "../upstream/contract.ts";
