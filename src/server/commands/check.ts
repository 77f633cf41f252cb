/** `check`: everything that is wrong, or looks wrong, with a configuration and the upstreams that it names. */
import { renderProblems } from "../../config/problems.ts";
import { problemOfOperation } from "../../graphql/persisted/problem.ts";
import { checkConfig } from "../../policy/check.ts";
import { type Command, required } from "./command.ts";
import { probeUpstream } from "./probe.ts";

export const check: Command = {
  usage: "check --config FILE",
  summary: "Reports every problem of a configuration and asks its upstreams. Exit code 1 where it has errors.",
  options: { config: { type: "string" } },
  async run(flags, terminal) {
    const file = required(flags, "config");
    const { problems, valid, upstreams } = await checkConfig(file, terminal.env, probeUpstream, {
      problemOf: problemOfOperation
    });
    for (const { name, report } of upstreams) terminal.out(`upstream ${name}: ${report.version ?? report.failure}`);
    if (problems.length > 0) terminal.err(renderProblems(file, problems));
    const count = problems.filter(({ severity }) => severity === (valid ? "warning" : "error")).length;
    terminal.out(
      `${file}: ${valid ? "valid" : "not valid"}, ${count} ${valid ? "warning" : "error"}${count === 1 ? "" : "s"}`
    );
    return valid ? 0 : 1;
  }
};
