import { Search } from "../../knowledge/answers.ts";
import { searchFiles } from "../../tools/search-files.ts";
import type { Route } from "../route.ts";
import { readRoute } from "./read.ts";

export const searchRoutes: readonly Route[] = [
  readRoute({
    path: "/agent/{kb}/search",
    operationId: "search",
    summary: "Files that may answer a question.",
    tool: searchFiles,
    whole: Search,
    query: searchFiles.input
  })
];
