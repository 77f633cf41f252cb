/** docs/metrics.md, as the catalogue says it. */
import { METRICS, type MetricSpec } from "../../src/server/metrics/catalogue.ts";
import { markdownTable } from "./table.ts";

export function metricsPage(): string {
  const rows = Object.entries<MetricSpec>(METRICS).map(([name, { type, labels, help }]) => {
    const labelled = labels.map((label) => `\`${label}\``).join(", ") || "–";
    return [`\`${name}\``, type, labelled, help];
  });
  const buckets = Object.values<MetricSpec>(METRICS).find((spec) => spec.buckets !== undefined)?.buckets ?? [];
  return `# Metrics

<!-- Generated from src/server/metrics/catalogue.ts by \`npx vitest run test/operations/reference.test.ts -u\`. -->

\`GET /metrics\` answers in Prometheus's text format. With \`server.metricsToken\` set it needs that token as a bearer token.
Without one it is for this machine only: the gateway has to listen on a loopback host, the connection has to come from
loopback, and no proxy may have forwarded it. A tenant's key never opens it. Like every route it checks the \`Host\` header.

Labels hold words of closed sets (surfaces, operations, error codes, states) and names out of the configuration, never a
text that a caller sent. The histograms' buckets end at ${buckets.join(", ")} seconds. What to alert on is in
[operations.md](operations.md#what-to-alert-on).

${markdownTable(["name", "type", "labels", "what"], rows)}
`;
}
