/** The reader of one knowledge base: what surfaces call, bound to the caller. docs/invariants.md 1. */
import type { OperationName } from "../policy/access.ts";
import type { Binding } from "./binding.ts";
import { findDirectory } from "./directory.ts";
import { content, detail, detailByPath } from "./files.ts";
import { expand, overview, related } from "./relations.ts";
import { search } from "./search.ts";
import { listTree } from "./tree.ts";
import type { Awaitable, GeneratedFile, KnowledgeBaseReader } from "./types.ts";

export function knowledgeBaseReader(binding: Binding): KnowledgeBaseReader {
  // Fifty relations lead to a dozen files: each is decided on, and is a line of the audit log,
  // once a request.
  const details = new Map<string, Awaitable<GeneratedFile>>();
  return {
    key: binding.access.key,
    id: binding.access.id,
    may: (operation: OperationName) => binding.access.operations.has(operation),
    require: (operation) => binding.require(operation),
    detail: () => binding.call("getKnowledgeBase", null, null, (reading) => binding.knowledgeBase(reading)),
    tree: (args, page) => listTree(binding, args, page),
    directory: (path) => findDirectory(binding, path),
    file: (fileId) => {
      const known = details.get(fileId);
      if (known !== undefined) return known;
      const asked = detail(binding, fileId);
      details.set(fileId, asked);
      return asked;
    },
    fileByPath: (path) => detailByPath(binding, path),
    content: (lookup) => content(binding, lookup),
    search: (args, page) => search(binding, args, page),
    related: (fileId, page) => related(binding, fileId, page),
    expand: (args, page) => expand(binding, args, page),
    overview: () => overview(binding)
  };
}
