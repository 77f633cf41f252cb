/** The reads' forms over REST and MCP; those of GraphQL stand in `graphql.ts`. */
import type { TestAnswer } from "../harness/gateway.ts";
import { type Args, type Form, get, mcp, post, type SurfaceName } from "./surfaces.ts";
import { knowledgeBaseId } from "./world.ts";

/** A form, or the reason why the surface has none. */
export type Forms = Readonly<Record<SurfaceName, Form | string>>;

type Word = keyof Args & string;

const query = (args: Args, words: readonly Word[], more: Readonly<Record<string, string>> = {}): string => {
  const given = words.filter((word) => args[word] !== undefined).map((word) => [word, String(args[word])]);
  const parameters = new URLSearchParams([...given, ...Object.entries(more)] as [string, string][]);
  return parameters.size === 0 ? "" : `?${parameters}`;
};

const filled = (path: string, { fileId }: Args) => path.replace("{fileId}", encodeURIComponent(fileId ?? ""));

/** The agent's route, in both views. */
export function agent(path: string, words: readonly Word[], wrapped = true): Pick<Forms, "agent" | "compact"> {
  const url = (args: Args, view: Readonly<Record<string, string>>) =>
    `/agent/${args.knowledgeBase ?? "handbook"}/${filled(path, args)}${query(args, words, view)}`;
  return {
    agent: get((args) => url(args, {})),
    compact: wrapped ? get((args) => url(args, { view: "compact" })) : "no tool, so no shape of one"
  };
}

export function mirror(path: string, words: readonly Word[], unwrap?: Form["body"]): Pick<Forms, "mirror"> {
  const url = (args: Args) =>
    `/openapi/v2/knowledge-bases${path.replace("{kb}", knowledgeBaseId(args.knowledgeBase))}${query(args, words)}`;
  return { mirror: get((args) => filled(url(args), args), unwrap) };
}

export const tool = (name: string): Pick<Forms, "tool" | "mcp"> => ({ tool: post(name), mcp: mcp(name) });

export const NO_TOOL = { tool: "no tool", mcp: "no tool" } as const;
export const NO_AGENT_ROUTE = "the agent's routes lie in a knowledge base";

/** The mirror wraps single objects. */
export const flat = (name: "file" | "knowledgeBase") => (answer: TestAnswer) => answer.body[name];
