/** The links in answers: each is there where its operation may show the file it leads to, and null where it may not. */
import type { Caller, Operation } from "./caller.ts";
import type { World } from "./world.ts";

const OPENED_BY: Readonly<Record<string, Operation>> = {
  fileDetailById: "get_file",
  fileContentById: "read_file",
  fileContentByPath: "read_file",
  relatedFilesById: "read_related",
  graphExpansionByFileId: "expand_graph"
};

/** What is wrong with the links of uploaded pages, wherever they stand in an answer; nothing where all is well. */
export function wrongLinks(value: unknown, caller: Caller, world: World): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => wrongLinks(member, caller, world));
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap((member) => wrongLinks(member, caller, world));
  const { fileId, readActions } = value as { fileId?: unknown; readActions?: Record<string, unknown> | null };
  const owner = typeof fileId === "string" ? world.owner(fileId) : undefined;
  if (owner?.kind !== "page" || !readActions) return below;
  const own = Object.entries(readActions).flatMap(([link, href]) => {
    const operation = OPENED_BY[link];
    const opened = operation !== undefined && caller.sees(owner.base, operation, owner.page.path);
    return opened === (href !== null) ? [] : [`${link} of ${owner.page.path} is ${href}`];
  });
  return [...below, ...own];
}
