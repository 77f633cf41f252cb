/** The examples of examples/deploy, as far as they can be checked without an engine that runs them. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { loadConfig } from "../../src/config/load.ts";

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const text = (path: string) => readFileSync(file(path), "utf8");

const SECRETS = {
  CURSOR_SECRET: "at least sixteen characters",
  METRICS_TOKEN: "at least sixteen characters",
  FOCOWIKI_API_KEY: "a key",
  REDIS_URL: "redis://shared:6379"
};
const { config, warnings } = loadConfig(file("examples/deploy/gateway.yaml"), SECRETS);
const compose = parse(text("examples/deploy/compose.yaml"));
const documents = parseAllDocuments(text("examples/deploy/kubernetes.yaml"), { merge: true }).map((each) =>
  each.toJS()
);
const [deployment, service, budget] = documents;
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

it("examples/deploy/gateway.yaml is valid without a warning, and every secret of it comes from the environment", () => {
  expect(warnings).toEqual([]);
  for (const name of Object.keys(SECRETS)) expect(text("examples/deploy/gateway.yaml")).toContain(`\${env:${name}}`);
});

it("compose gives the container every variable that its configuration refers to", () => {
  expect(Object.keys(compose.services.gateway.environment)).toEqual(expect.arrayContaining(Object.keys(SECRETS)));
  expect(compose.services.gateway.read_only).toBe(true);
});

it("probes send a host that the configuration allows", () => {
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(["/readyz", "/readyz", "/healthz"]);
  const hosts = probes.map(({ httpGet }) => httpGet.httpHeaders[0].value);
  for (const host of [...hosts, compose.services.gateway.environment.HEALTH_HOST])
    expect(config.server.allowedHosts).toContain(host);
});

it("a replica has time for its last answers before it is ended", () => {
  const grace = config.server.shutdownGraceMs / 1000;
  expect(Number.parseInt(compose.services.gateway.stop_grace_period, 10)).toBeGreaterThan(grace);
  const slept = Number(container.lifecycle.preStop.exec.command[1]);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(grace + slept);
});

it("the pod runs without rights, on a read-only root, and the service finds it", () => {
  expect(pod.securityContext.runAsNonRoot).toBe(true);
  expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  const { labels } = deployment.spec.template.metadata;
  for (const selector of [
    deployment.spec.selector.matchLabels,
    service.spec.selector,
    budget.spec.selector.matchLabels
  ])
    expect(labels).toMatchObject(selector);
  expect(container.ports[0]).toEqual({ name: service.spec.ports[0].targetPort, containerPort: config.server.port });
});

it("the image takes what it copies, and nothing is left out of it by .dockerignore", () => {
  const copied = [...text("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
    names!.split(" ")
  );
  const admitted = [...text(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  expect(admitted).toEqual(expect.arrayContaining(copied));
  expect(text("Dockerfile")).toMatch(/^USER (?!0)\d+:\d+$/m);
});
