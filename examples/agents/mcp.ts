/**
 * An agent that reads over MCP.
 *
 *   npx tsx examples/agents/mcp.ts [URL of a gateway]
 */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { KNOWLEDGE_BASE, runAgent, SCRIPT } from "./agent.ts";
import { gateway, headers } from "./gateway.ts";

await using server = await gateway(process.argv[2]);
const client = new Client({ name: "example-agent", version: "1.0.0" });
const endpoint = new URL(`${server.url}/mcp/${KNOWLEDGE_BASE}`);
await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers: headers() } }));

const { tools } = await client.listTools();
const { question } = SCRIPT;
const { messages } = await client.getPrompt({ name: "explore_knowledge", arguments: { question } });
const rules = messages.map(({ content }) => (content.type === "text" ? content.text : "")).join("\n");
assert.equal(rules.match(/^\d\. /gm)?.length, 8, "the prompt carries eight rules");

await runAgent({
  tools: tools.map(({ name, description = "", inputSchema }) => ({ name, description, parameters: inputSchema })),
  rules,
  // The text alone, as hosts hand it to a model that knows nothing of structured content.
  async call({ name, arguments: args }) {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [only] = content as { type: string; text: string }[];
    assert.ok(!isError && only?.type === "text", `${name} failed: ${only?.text}`);
    return only.text;
  }
});
await client.close();
