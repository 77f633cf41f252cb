/** MCP over Streamable HTTP, stateless: every POST is answered by a server of its own, bound to the caller. */
import { methodNotAllowed, toGatewayError } from "../errors.ts";
import type { Reader } from "../knowledge/types.ts";
import { failureResponse, RpcError } from "./failure.ts";
import { methodOf, readMessage } from "./message.ts";
import type { Scope } from "./scope.ts";

export { mcpFailure } from "./failure.ts";

export interface McpOptions {
  /** The gateway's own version, as clients are told it. */
  readonly version: string;
  /** `server.publicUrl`. */
  readonly publicUrl?: string | undefined;
  /** Told of errors that no table foresees; the caller gets INTERNAL_ERROR. */
  readonly onUnexpected?: (error: unknown, requestId: string) => void;
}

export interface Mcp {
  /**
   * Answers one HTTP request, errors included; never rejects.
   * @param request authenticated, its Host and Origin checked, its body bounded
   * @param reader bound to the caller of this request
   * @param knowledgeBaseKey the `{kb}` of `/mcp/{kb}`, decoded; null for `/mcp`
   */
  handle(request: Request, reader: Reader, knowledgeBaseKey: string | null): Promise<Response>;
}

const ONLY_POST = "Only POST is supported: this server has no sessions and sends no messages of its own.";

export function createMcp(options: McpOptions): Mcp {
  return {
    async handle(request, reader, knowledgeBaseKey) {
      const { requestId } = reader;
      const scope: Scope = {
        reader,
        boundTo: knowledgeBaseKey,
        expected(thrown) {
          const error = toGatewayError(thrown);
          // A client that left, or a deadline that passed, aborts reads with whatever reason the server has.
          if (error !== thrown && !request.signal.aborted) options.onUnexpected?.(thrown, requestId);
          return error;
        }
      };
      try {
        // Without sessions there is no stream to GET and nothing to DELETE. Source: MCP 2025-11-25, Streamable HTTP.
        if (request.method !== "POST") throw methodNotAllowed(ONLY_POST, ["POST"]);
        const message = await readMessage(request, requestId);
        // A wrong URL is told when a client connects. A tool call tells it to the model, like every error of a tool.
        if (knowledgeBaseKey !== null && methodOf(message) !== "tools/call") {
          // A grant of a whole upstream says of no name whether it exists there.
          await (await reader.knowledgeBase(knowledgeBaseKey)).detail();
        }
        // The SDK is large: a gateway that no agent calls does not load it.
        const { serve } = await import("./server.ts");
        return await serve(request, message, scope, options);
      } catch (thrown) {
        const failure = thrown instanceof RpcError ? thrown : new RpcError(scope.expected(thrown), requestId);
        reader.noteError(failure.error.code);
        return failureResponse(failure);
      }
    }
  };
}
