/** A file's detail, content and relations, by id or by path. */
import * as z from "zod";
import { FileContent, GeneratedFile, Related } from "../../knowledge/answers.ts";
import { text } from "../../tools/fields.ts";
import { getFile } from "../../tools/get-file.ts";
import { readFile } from "../../tools/read-file.ts";
import { readRelated } from "../../tools/read-related.ts";
import { type AgentContext, parameter, type Route } from "../route.ts";
import { readRoute } from "./read.ts";

const byPath = z.object({ path: text.describe("A path from an earlier answer, such as pages/guide.md.") });
const fromPath = (context: AgentContext) => ({ fileId: parameter(context, "fileId") });

// `content` stands before `{fileId}`: it is a reserved word and never an id.
export const fileRoutes: readonly Route[] = [
  readRoute({
    path: "/agent/{kb}/files/content",
    operationId: "readContentByPath",
    summary: "A file and its Markdown, by path.",
    tool: readFile,
    whole: FileContent,
    query: byPath
  }),
  readRoute({
    path: "/agent/{kb}/files/{fileId}",
    operationId: "readFile",
    summary: "A file's metadata, flat.",
    tool: getFile,
    whole: GeneratedFile,
    fromPath
  }),
  readRoute({
    path: "/agent/{kb}/files/{fileId}/content",
    operationId: "readContent",
    summary: "A file and its Markdown, by id.",
    tool: readFile,
    whole: FileContent,
    fromPath
  }),
  readRoute({
    path: "/agent/{kb}/files/{fileId}/related",
    operationId: "readRelated",
    summary: "The files that a file is related to.",
    tool: readRelated,
    whole: Related,
    query: readRelated.input.omit({ fileId: true }),
    fromPath
  })
];
