/**
 * An agent that reads over HTTP, with the tool definitions as OpenAI's chat API takes them.
 *
 *   npx tsx examples/agents/openai.ts [URL of a gateway]
 */
import assert from "node:assert/strict";
import { KNOWLEDGE_BASE, runAgent } from "./agent.ts";
import { gateway, headers } from "./gateway.ts";

interface OpenAiTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

await using server = await gateway(process.argv[2]);
const tools = `${server.url}/agent/${KNOWLEDGE_BASE}/tools`;

async function ask(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { ...init, headers: { ...headers(), "content-type": "application/json" } });
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  return text;
}

// `definitions` goes into a request as it is: client.chat.completions.create({ model, messages, tools: definitions })
const { tools: definitions } = JSON.parse(await ask(`${tools}?format=openai`)) as { tools: OpenAiTool[] };
assert.ok(definitions.every((definition) => definition.type === "function"));

await runAgent({
  tools: definitions.map((definition) => definition.function),
  rules: "Search once with the whole question, read the files that it finds, follow their links, cite their paths.",
  call: ({ name, arguments: args }) => ask(`${tools}/${name}`, { method: "POST", body: JSON.stringify(args) })
});
