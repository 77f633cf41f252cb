/** Single files of one knowledge base: detail, content, and the proof that a file id is visible. docs/invariants.md 2. */
import { type ErrorCode, GatewayError, notFound } from "../errors.ts";
import type { OperationName } from "../policy/access.ts";
import { decideText, hangsOnText } from "../policy/generated-text.ts";
import type { FileContent, GeneratedFile, SearchHit } from "../upstream/contract.ts";
import { checkId } from "../upstream/ids.ts";
import type { AnswerOf, Operation, OperationInput } from "../upstream/operations.ts";
import type { Binding } from "./binding.ts";
import type { Reading } from "./budget.ts";
import { normalizePath } from "./paths.ts";
import type { Awaitable, FileLookup } from "./types.ts";
import { sees, showFile, targetOf } from "./visibility.ts";

/** In UTF-8, of one unit of a JavaScript string. */
const MAX_BYTES_PER_UNIT = 3;

/** Refusals that say nothing about a file: they would be the same for one that does not exist. */
const TELLS_NOTHING: ReadonlySet<ErrorCode> = new Set([
  "RATE_LIMITED",
  "VALIDATION_ERROR",
  "UPSTREAM_AUTHENTICATION_FAILED"
]);

export function detail(binding: Binding, fileId: string): Awaitable<GeneratedFile> {
  return binding.call("getFileById", "get_file", fileId, (reading) => {
    checkId("fileId", fileId);
    return provenFile(binding, fileId, "get_file", reading);
  });
}

export function detailByPath(binding: Binding, path: string): Promise<GeneratedFile> {
  return binding.call("getFileContentByPath", "get_file", path, async (reading) => {
    return (await contentByPath(binding, path, "get_file", reading)).file;
  });
}

export function content(binding: Binding, lookup: FileLookup): Promise<FileContent> {
  const operation = "fileId" in lookup ? "getFileContentById" : "getFileContentByPath";
  const target = "fileId" in lookup ? lookup.fileId : lookup.path;
  return binding.call(operation, "read_file", target, async (reading) => {
    const answer =
      "fileId" in lookup
        ? await contentById(binding, lookup.fileId, reading)
        : await contentByPath(binding, lookup.path, "read_file", reading);
    const maximum = binding.request.limits.contentBytes;
    // Most contents are so short that no text of that length could pass the limit, and need no counting.
    if (answer.content.length * MAX_BYTES_PER_UNIT <= maximum) return answer;
    const bytes = Buffer.byteLength(answer.content);
    if (bytes <= maximum) return answer;
    throw new GatewayError("PAYLOAD_TOO_LARGE", {
      message: `The file's content has ${bytes} bytes; the limit contentBytes is ${maximum}.`,
      details: { limit: "contentBytes", maximum }
    });
  });
}

/**
 * The file's detail, proven visible to the operation.
 * @throws NOT_FOUND where it is hidden, absent, or where the answer cannot tell
 */
export function provenFile(
  binding: Binding,
  fileId: string,
  operation: OperationName,
  reading: Reading
): Awaitable<GeneratedFile> {
  const input = { ids: { fileId } };
  const prove = ({ file }: AnswerOf<"getFileById">) => {
    const shown = showFile(binding.access, file, operation);
    if (shown === null) throw notFound();
    return shown;
  };
  const held = binding.held("getFileById", input);
  if (held !== undefined) return prove(held);
  return telling(binding, operation, binding.read("getFileById", input, reading)).then(prove);
}

/** For a caller with path rules, looks the path of the id up before the id is used. Others go straight on. */
export async function proveVisible(
  binding: Binding,
  fileId: string,
  operation: OperationName,
  reading: Reading
): Promise<void> {
  if (binding.access.restricted(operation)) await provenFile(binding, fileId, operation, reading);
}

/**
 * Whether a search may tell that a file holds what was looked for. Whether a generated file names hidden pages is known
 * only from its text, of which a hit shows a part.
 */
export async function provesText(binding: Binding, hit: SearchHit, reading: Reading): Promise<boolean> {
  if (!hangsOnText(binding.access, targetOf(hit), "search_files")) return true;
  try {
    const read = binding.read("getFileContentById", { ids: { fileId: hit.fileId } }, reading);
    const { content } = await telling(binding, "search_files", read);
    return decideText(binding.access, targetOf(hit), content, "search_files").allowed;
  } catch (error) {
    if (error instanceof GatewayError && error.code === "NOT_FOUND") return false;
    throw error;
  }
}

async function contentById(binding: Binding, fileId: string, reading: Reading): Promise<FileContent> {
  checkId("fileId", fileId);
  const ask = () => readOfContent(binding, "getFileContentById", { ids: { fileId } }, reading);
  if (!binding.access.restricted("read_file")) return showContent(binding, await ask(), "read_file");
  const file = await provenFile(binding, fileId, "read_file", reading);
  // Whether a generated file may be seen hangs on its text: a refusal that brings none proves nothing.
  const hangs = hangsOnText(binding.access, targetOf(file), "read_file");
  return showContent(binding, await (hangs ? telling(binding, "read_file", ask()) : ask()), "read_file");
}

async function contentByPath(
  binding: Binding,
  path: string,
  operation: OperationName,
  reading: Reading
): Promise<FileContent> {
  const asked = normalizePath("path", path);
  // A path that no rule opens is not asked for; what comes back is checked again, on the path it came back with.
  if (!sees(binding.access, { path: asked }, operation)) throw notFound();
  const read = readOfContent(binding, "getFileContentByPath", { query: { path: asked } }, reading);
  return showContent(binding, await telling(binding, operation, read), operation);
}

function showContent(binding: Binding, answer: FileContent, operation: OperationName): FileContent {
  const file = showFile(binding.access, answer.file, operation);
  if (file === null) throw notFound();
  // A graph file that a rule opens may still name hidden pages, and only its text tells.
  if (!decideText(binding.access, targetOf(answer.file), answer.content, operation).allowed) throw notFound();
  // What a caller with path rules is sent is what was decided on: the bytes it came in may hold a member twice.
  return file === answer.file && !binding.access.restricted(operation) ? answer : { ...answer, file };
}

/** For a caller with path rules, an answer that names no path cannot prove a visible one: it is NOT_FOUND. */
function telling<T>(binding: Binding, operation: OperationName, answer: Promise<T>): Promise<T> {
  if (!binding.access.restricted(operation)) return answer;
  return answer.catch((error: unknown) => {
    const conceals = error instanceof GatewayError && error.answered && !TELLS_NOTHING.has(error.code);
    throw conceals ? notFound() : error;
  });
}

/**
 * A read of what only a knowledge base with content has. That there is none yet is not the same as there being no such
 * knowledge base, or no such file in it.
 * @param known the revision known before it, where it was asked for already
 */
export async function readOfContent<O extends Operation>(
  binding: Binding,
  operation: O,
  input: OperationInput,
  reading: Reading,
  known: number | null = null
): Promise<AnswerOf<O>> {
  const revision = known ?? (await binding.revision(reading));
  try {
    return await binding.read(operation, input, reading, revision);
  } catch (error) {
    const missing = error instanceof GatewayError && error.code === "NOT_FOUND";
    if (!missing || revision !== 0) throw error;
    throw new GatewayError("NOT_FOUND", {
      message: "This knowledge base has no content yet.",
      details: { reason: "NO_CONTENT_YET" }
    });
  }
}
