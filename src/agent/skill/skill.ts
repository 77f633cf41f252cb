/** The Skill's files: SKILL.md and what it refers to. Source: the Agent Skills format, agentskills.io/specification. */
import type { Tool } from "../../tools/tool.ts";
import { answerStyle } from "./answer-style.ts";
import { explorationGuide } from "./exploration-guide.ts";
import { httpContract } from "./http-contract.ts";
import { skillMd } from "./skill-md.ts";

export interface SkillOptions {
  /** Where the gateway is reached, without a trailing slash. */
  readonly baseUrl: string;
  /** The knowledge base's key. */
  readonly key: string;
  /** The knowledge base's own name and description. */
  readonly name: string;
  readonly description?: string | null | undefined;
  /** See `indexIsOpen`. */
  readonly indexOpen: boolean;
  /** Those that the caller may use there. */
  readonly tools: readonly Tool[];
}

/** Paths and texts. Without any credential: the reader's environment holds it. */
export function skillFiles(options: SkillOptions): Record<string, string> {
  return {
    "SKILL.md": skillMd(skillName(options.key), options),
    "references/answer-style.md": answerStyle(),
    "references/exploration-rules.md": explorationGuide(options),
    "references/http-contract.md": httpContract(options)
  };
}

/** The Skill's name and folder: at most 64 lower-case letters, digits and single hyphens. */
export function skillName(key: string): string {
  const words = key.toLowerCase().match(/[a-z0-9]+/g) ?? ["base"];
  return `read-${words.join("-")}`.slice(0, 64).replace(/-$/, "");
}
