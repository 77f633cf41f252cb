import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { temporaryFolder } from "../config/files.ts";
import { type RunningCommand, startCommand } from "../harness/command.ts";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

async function addressOf(command: RunningCommand) {
  const [url] = await command.waitFor(/http:\/\/127\.0\.0\.1:\d+/);
  const { hostname, port, host } = new URL(url);
  return { url, hostname, port, host };
}

it("SIGTERM: answers in flight arrive, idle connections close, readiness goes, exit code 0", async () => {
  await using upstream = await fakeUpstream();
  using folder = temporaryFolder({
    "gateway.yaml": `upstreams:\n  main: { url: "${upstream.url}", apiKey: "${upstream.key}" }\n`
  });
  await using command = startCommand(["serve", "--config", folder.path("gateway.yaml"), "--port", "0"]);
  const { url, hostname, port, host } = await addressOf(command);

  const idle = connect(Number(port), hostname);
  idle.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(idle, "data");
  const idleClosed = once(idle, "close");

  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  upstream.on("listKnowledgeBases", async (_, model) => {
    await held;
    return model();
  });
  const inFlight = fetch(`${url}/openapi/v2/knowledge-bases`);
  await upstream.until(() => upstream.count("listKnowledgeBases") === 1);

  command.process.kill("SIGTERM");
  await idleClosed;
  await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  answer();
  const response = await inFlight;
  expect(response.status).toBe(200);
  expect(response.headers.get("connection")).toBe("close");
  expect((await response.json()).items).toHaveLength(1);

  const { code, err } = await command.ended;
  expect(code).toBe(0);
  expect(err).toContain('"msg":"stopped"');
  expect(err).toContain('"clean":true');
});

it("SIGTERM: a request that was on its way over an idle connection is answered", async () => {
  await using upstream = await fakeUpstream();
  using folder = temporaryFolder({
    "gateway.yaml": `upstreams:\n  main: { url: "${upstream.url}", apiKey: "${upstream.key}" }\n`
  });
  await using command = startCommand(["serve", "--config", folder.path("gateway.yaml"), "--port", "0"]);
  const { hostname, port, host } = await addressOf(command);
  const socket = connect(Number(port), hostname);
  const request = `GET /openapi/v2/knowledge-bases HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  socket.write(request);
  await once(socket, "data");

  command.process.kill("SIGTERM");
  while (!command.written.err.includes('"msg":"stopping"')) await once(command.process.stderr ?? socket, "data");
  socket.write(request);
  let answer = "";
  for await (const bytes of socket) answer += String(bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer.toLowerCase()).toContain("connection: close");
  expect((await command.ended).code).toBe(0);
});

it("readiness goes before the last answer, on a connection that is still open", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream } });
  const { hostname, port, host } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const ask = async (path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [bytes] = await once(socket, "data");
    return String(bytes);
  };
  expect(await ask("/readyz")).toContain('"status":"ready"');
  gateway.running.runtime.beginStop();
  const last = await ask("/readyz");
  expect(last).toMatch(/^HTTP\/1\.1 503 /);
  expect(last).toContain('"status":"not_ready"');
  expect(last.toLowerCase()).toContain("connection: close");
});

it("what does not end within the grace time is cut off", async () => {
  await using upstream = await fakeUpstream();
  const gateway = await startGateway({ upstreams: { main: upstream }, config: { server: { shutdownGraceMs: 50 } } });
  upstream.on("listKnowledgeBases", { fault: "hang" });
  const hanging = gateway.get("/openapi/v2/knowledge-bases");
  const cutOff = expect(hanging).rejects.toThrow();
  await upstream.until(() => upstream.count("listKnowledgeBases") === 1);
  expect(await gateway.running.stop()).toBe(false);
  await cutOff;
  await upstream.until(() => upstream.connections() === 0);
});

it("SIGTERM: a reader that stalls takes lines from the log, and does not hold the end", async () => {
  await using command = startCommand(["serve", "--port", "0"]);
  const { url } = await addressOf(command);
  const stalled = command.process.stderr;
  stalled?.pause();
  // More lines than the pipe and both ends' buffers take.
  for (let asked = 0; asked < 1500; asked += 1) await (await fetch(`${url}/openapi/v2/version`)).text();
  command.process.kill("SIGTERM");
  await once(command.process, "exit");
  expect(command.process.exitCode).toBe(0);
  stalled?.resume();
  const { err } = await command.ended;
  expect(err.split("\n").length).toBeLessThan(1500);
});
