/** Which files an upstream answer holds text of, and which revision it is labelled with. */
import type { AnswerOf, Operation, OperationInput } from "../upstream/operations.ts";

/** Names under which a held file can be found again: its ids, and its path. */
export function heldFiles<O extends Operation>(operation: O, input: OperationInput, body: AnswerOf<O>): string[] {
  const names = new Set<string>();
  const add = (name: string | null | undefined) => {
    if (name) names.add(name);
  };
  add(input.ids?.fileId);
  add(input.query?.fileId);
  if (operation === "getFileContentByPath") add(pathName(input.query?.path ?? ""));
  const answer = body as HeldAnswer;
  for (const file of [answer.file, answer.seedFile]) addFile(file, add);
  // A hit's excerpt is the file's text; a listing's rows are names only.
  if (operation === "searchGeneratedFiles") for (const hit of answer.items ?? []) addFile(hit, add);
  return [...names];
}

/** What a 404 to this question is about; empty where it is not about one file. */
export function askedFiles(input: OperationInput): string[] {
  const names = [input.ids?.fileId, input.query?.fileId].filter((id) => id !== undefined);
  return input.query?.path === undefined ? names : [...names, pathName(input.query.path)];
}

/** The name of a file in an index of held files, by its path. Ids hold no slash, so names cannot collide. */
export function pathName(path: string): string {
  return `/${path}`;
}

/** The revision an answer carries; null counts as 0: a knowledge base without content. */
export function labelOf(operation: Operation, body: unknown): number | null {
  const answer = body as HeldAnswer;
  if (operation === "getFileById" || operation === "getFileContentById" || operation === "getFileContentByPath") {
    return answer.file?.activeContentRevision ?? null;
  }
  return answer.activeContentRevision ?? null;
}

interface HeldFile {
  readonly fileId?: string | null;
  readonly sourceFileId?: string | null;
  readonly path?: string | null;
  readonly activeContentRevision?: number | null;
}

/** The members, of any operation's answer, that name files. */
interface HeldAnswer {
  readonly file?: HeldFile | null;
  readonly seedFile?: HeldFile | null;
  readonly items?: readonly HeldFile[];
  readonly activeContentRevision?: number | null;
}

function addFile(file: HeldFile | null | undefined, add: (name: string | null | undefined) => void): void {
  add(file?.fileId);
  add(file?.sourceFileId);
  if (file?.path) add(pathName(file.path));
}
