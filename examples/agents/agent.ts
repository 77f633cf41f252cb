/** The loop around a model, and what it must have done when it answers. */
import assert from "node:assert/strict";
import type { CallTool, Message, Model, Tool } from "./chat.ts";
import { type Script, scriptedModel } from "./scripted-model.ts";

/** The answer needs two files: one that a search finds, and one that the first leads to. */
export const SCRIPT: Script = {
  question: "A deployment lost data. How do we bring the data back, and how soon must the incident be written up?",
  lookingFor: [/Restore into a \*\*new\*\* database/, /^Within five days/]
};
export const KNOWLEDGE_BASE = "engineering";

const MOST_STEPS = 12;

export interface AgentOptions {
  readonly tools: readonly Tool[];
  /** How to explore; from MCP's prompt, or the Skill. */
  readonly rules: string;
  readonly call: CallTool;
  readonly script?: Script;
}

/** Runs the agent, prints what it does, and throws an AssertionError unless it kept the rules and found the answer. */
export async function runAgent({ tools, rules, call, script = SCRIPT }: AgentOptions): Promise<void> {
  const model: Model = scriptedModel(script);
  const messages: Message[] = [
    { role: "system", content: rules },
    { role: "user", content: script.question }
  ];
  const evidence = new Map<string, string>();
  let searches = 0;
  console.log(`question: ${script.question}`);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const completion = await model({ messages, tools });
    if ("answer" in completion) {
      console.log(`evidence read:\n${[...evidence.keys()].map((path) => `  ${path}`).join("\n")}`);
      console.log(`answer:\n  ${completion.answer.replaceAll("\n", "\n  ")}`);
      check(completion.answer, script, evidence);
      assert.ok(searches <= 3, `${searches} searches were made`);
      return;
    }
    messages.push({ role: "assistant", toolCalls: completion.toolCalls });
    for (const toolCall of completion.toolCalls) {
      console.log(`→ ${toolCall.name} ${JSON.stringify(toolCall.arguments)}`);
      const content = await call(toolCall);
      console.log(`← ${Buffer.byteLength(content)} bytes`);
      messages.push({ role: "tool", toolCallId: toolCall.id, content });
      if (toolCall.name === "search_files") searches += 1;
      if (toolCall.name !== "read_file") continue;
      const path = String(toolCall.arguments.path);
      assert.ok(!evidence.has(path), `${path} was read twice`);
      evidence.set(path, content);
    }
  }
  assert.fail(`no answer after ${MOST_STEPS} steps`);
}

/** Every line of the answer cites a file that was read, and stands in it. */
function check(answer: string, { lookingFor }: Script, evidence: ReadonlyMap<string, string>): void {
  for (const what of lookingFor) assert.match(answer, new RegExp(what.source, "m"));
  const cited = new Set<string>();
  for (const line of answer.split("\n")) {
    const [, said = "", path = ""] = /^(.*) \[(.+)\]$/.exec(line) ?? [];
    assert.ok(evidence.get(path)?.includes(said), `"${said}" is not in ${path || "a cited file"}`);
    cited.add(path);
  }
  assert.ok(cited.size >= 2, "the answer needs two sources");
  console.log(`cited: ${[...cited].join(", ")}`);
}
