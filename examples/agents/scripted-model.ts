/**
 * A model without a network: it explores by the rules and reads nothing but the text that tools return.
 *
 * Where a real model judges whether the question is answered, this one looks for what it was told to look for.
 */
import { posix } from "node:path";
import type { Completion, Message, Model, ToolCall } from "./chat.ts";

export interface Script {
  readonly question: string;
  /** What the sources must say before the question counts as answered. */
  readonly lookingFor: readonly RegExp[];
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** What has been done so far, told from the conversation alone. */
interface Progress {
  readonly searches: number;
  /** Paths in the order of the hits. */
  readonly hits: readonly string[];
  readonly sources: readonly Source[];
}

export function scriptedModel({ question, lookingFor }: Script): Model {
  return async ({ messages, tools }) => {
    const progress = progressOf(messages);
    const say = (name: string, args: ToolCall["arguments"]): Completion => {
      if (!tools.some((tool) => tool.name === name)) throw new Error(`the tool ${name} was not offered`);
      return { toolCalls: [{ id: `call-${messages.length}`, name, arguments: args }] };
    };
    if (progress.searches === 0) return say("search_files", { query: question });
    const passages = lookingFor.map((what) => passageOf(progress.sources, what));
    if (passages.every((passage) => passage !== null)) return { answer: answerFrom(passages) };
    const next = nextPath(progress);
    if (next !== undefined) return say("read_file", { path: next });
    return { answer: "The knowledge base does not answer this." };
  };
}

function progressOf(messages: readonly Message[]): Progress {
  const calls = new Map<string, ToolCall>();
  const sources: Source[] = [];
  const hits: string[] = [];
  let searches = 0;
  for (const message of messages) {
    if (message.role === "assistant") for (const call of message.toolCalls) calls.set(call.id, call);
    if (message.role !== "tool") continue;
    const call = calls.get(message.toolCallId);
    if (call?.name === "search_files") {
      searches += 1;
      hits.push(...pathsIn(message.content));
    } else if (call?.name === "read_file") {
      sources.push({ path: String(call.arguments.path), text: message.content });
    }
  }
  return { searches, hits, sources };
}

/** Paths of hits, in YAML as MCP's text has them, or in JSON as a tool post has them. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/"?\bpath"?: ?"?(pages\/[^"\n]+?\.md)/g)].flatMap(([, path]) => path ?? []);
}

/**
 * The best hit first. Then links from what was read, those that the search found too before others; then other hits.
 * Never what was read already.
 */
function nextPath({ hits, sources }: Progress): string | undefined {
  const read = new Set(sources.map((source) => source.path));
  const linked = sources.flatMap(linksOf);
  const candidates = sources.length === 0 ? hits : [...hits.filter((hit) => linked.includes(hit)), ...linked, ...hits];
  return candidates.find((path) => !read.has(path));
}

/** Links to files, resolved against the path of the file that has them. */
function linksOf({ path, text }: Source): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)\s]*)?\)/g)].flatMap(([, target]) => target ?? []);
  return targets.map((target) => posix.join(posix.dirname(path), decodeURIComponent(target)));
}

interface Passage {
  readonly path: string;
  readonly line: string;
}

function passageOf(sources: readonly Source[], what: RegExp): Passage | null {
  for (const { path, text } of sources) {
    const line = text.split(/\n|\\n/).find((candidate) => what.test(candidate));
    if (line !== undefined) return { path, line: line.trim() };
  }
  return null;
}

function answerFrom(passages: readonly (Passage | null)[]): string {
  return passages.flatMap((passage) => (passage ? `${passage.line} [${passage.path}]` : [])).join("\n");
}
