/** resources/templates/list: how the URI of any file is made, for hosts that list none. */
import type { ListResourceTemplatesResult } from "@modelcontextprotocol/sdk/types.js";
import type { Scope } from "../scope.ts";

export function listResourceTemplates({ boundTo }: Scope): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      {
        uriTemplate: `focowiki://${boundTo === null ? "{kb}" : encodeURIComponent(boundTo)}/{path}`,
        name: "file",
        title: "A file of a knowledge base",
        description: "The text of the file at a path that a search, a listing or a link in a file gave.",
        mimeType: "text/markdown"
      }
    ]
  };
}
