/** MCP's methods, but for those of the connection itself, which are the SDK's. */
import type { ServerResult } from "@modelcontextprotocol/sdk/types.js";
import { GatewayError } from "../errors.ts";
import { METHOD_NOT_FOUND, RpcError } from "./failure.ts";
import { getPrompt, listPrompts } from "./prompts/prompts.ts";
import { listResources } from "./resources/list.ts";
import { readResource } from "./resources/read.ts";
import { listResourceTemplates } from "./resources/templates.ts";
import type { Scope } from "./scope.ts";
import { callTool } from "./tools/call.ts";
import { listTools } from "./tools/definitions.ts";

/** @param params as they came: each method reads its own leniently */
type Method = (scope: Scope, params: unknown) => ServerResult | Promise<ServerResult>;

const METHODS: Readonly<Record<string, Method>> = {
  "tools/list": listTools,
  "tools/call": callTool,
  "resources/list": listResources,
  "resources/templates/list": listResourceTemplates,
  "resources/read": readResource,
  "prompts/list": listPrompts,
  "prompts/get": getPrompt
};

/** @throws RpcError, and nothing else: the SDK would send any error's message as it is */
export async function answer(scope: Scope, method: string, params: unknown): Promise<ServerResult> {
  const { requestId } = scope.reader;
  const handle = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (handle === undefined) {
    const error = new GatewayError("BAD_REQUEST", {
      message: "There is no such method.",
      details: { field: "method" }
    });
    throw new RpcError(error, requestId, METHOD_NOT_FOUND);
  }
  try {
    return await handle(scope, params);
  } catch (thrown) {
    throw new RpcError(scope.expected(thrown), requestId);
  }
}
