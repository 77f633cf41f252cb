/** What the mirror says of the upstream itself. */
import { Health, Version } from "../../knowledge/answers.ts";
import { json } from "../respond.ts";
import type { Route } from "../route.ts";

export const serviceRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/openapi/v2/health",
    operationId: "getHealth",
    summary: "The upstream's health.",
    answer: Health,
    handle: async ({ reader }) => json(await reader.health())
  },
  {
    method: "GET",
    path: "/openapi/v2/version",
    operationId: "getVersion",
    summary: "The upstream's version.",
    answer: Version,
    handle: async ({ reader }) => json(await reader.version())
  }
];
