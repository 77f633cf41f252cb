import { Tree } from "../../knowledge/answers.ts";
import { listTree } from "../../tools/list-tree.ts";
import type { Route } from "../route.ts";
import { readRoute } from "./read.ts";

export const treeRoutes: readonly Route[] = [
  readRoute({
    path: "/agent/{kb}/tree",
    operationId: "readTree",
    summary: "The files and directories directly below a directory.",
    tool: listTree,
    whole: Tree,
    query: listTree.input
  })
];
