/** `explain`: whether a caller may see a file, and the rule that decides it. */
import { loadConfig } from "../../config/load.ts";
import { GatewayError } from "../../errors.ts";
import { OPERATION_NAMES } from "../../policy/access.ts";
import { explain, renderExplanation } from "../../policy/explain.ts";
import { type Command, oneOf, required, UsageError } from "./command.ts";

export const explainCommand: Command = {
  usage:
    "explain --config FILE --tenant TENANT --knowledge-base KEY --path PATH [--operation OPERATION] [--subject SUBJECT]",
  summary: "Prints what a caller may do with a file (or, with a slash at the end, a directory), and by which rule.",
  options: {
    config: { type: "string" },
    tenant: { type: "string" },
    "knowledge-base": { type: "string" },
    path: { type: "string" },
    operation: { type: "string" },
    subject: { type: "string" }
  },
  async run(flags, terminal) {
    const { operation } = flags;
    const question = {
      tenant: required(flags, "tenant"),
      subject: flags.subject,
      knowledgeBase: required(flags, "knowledge-base"),
      path: required(flags, "path"),
      operation: operation === undefined ? undefined : oneOf("--operation", operation, OPERATION_NAMES)
    };
    const { config, locate } = loadConfig(required(flags, "config"), terminal.env);
    try {
      terminal.out(renderExplanation(explain(config, question), locate));
      return 0;
    } catch (error) {
      if (error instanceof GatewayError) throw new UsageError(`--${error.details?.field}: ${error.message}`);
      throw error;
    }
  }
};
