import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type ConfigVersion, type ConfigWatch, watchConfig } from "../../src/config/reload.ts";
import { problemsOf, temporaryFolder } from "./files.ts";

const config = (level: string, key = "k") =>
  `upstreams: { main: { url: http://127.0.0.1:1, apiKey: ${key} } }\nlog: { level: ${level} }\n`;

/** Waits for what must come; the test's own time limit is the only clock. */
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("a configuration in force", () => {
  const open: ConfigWatch[] = [];
  afterEach(() => {
    for (const watch of open.splice(0)) watch.close();
  });
  const follow = (path: string, env: Record<string, string> = {}) => {
    const loaded: ConfigVersion[] = [];
    const rejected: string[] = [];
    const watch = watchConfig({
      path,
      env,
      debounceMs: 20,
      pollMs: 50,
      onLoaded: (version) => loaded.push(version),
      onRejected: (error) => rejected.push(error.message)
    });
    open.push(watch);
    const level = () => watch.current().config.log.level;
    return { watch, loaded, rejected, level };
  };

  it("changes when the file is written in place", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info") });
    const { watch, loaded, level } = follow(folder.path("gateway.yaml"));
    const first = watch.current();
    expect([first.number, level()]).toEqual([1, "info"]);
    folder.write("gateway.yaml", config("warn"));
    await until(() => level() === "warn");
    expect(loaded).toEqual([watch.current()]);
    expect(watch.current()).toMatchObject({ number: 2 });
    expect(first.config.log.level).toBe("info");
  });

  it("changes when another file is renamed over it, again and again", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info") });
    const { level } = follow(folder.path("gateway.yaml"));
    for (const next of ["warn", "error", "debug"]) {
      renameSync(folder.write("next.yaml", config(next)), folder.path("gateway.yaml"));
      await until(() => level() === next);
    }
  });

  it("changes when a symlink above it is swapped, as Kubernetes does", async () => {
    using folder = temporaryFolder();
    const publish = (name: string, text: string) => {
      mkdirSync(folder.path(name));
      writeFileSync(folder.path(`${name}/gateway.yaml`), text);
      symlinkSync(name, folder.path("..data_tmp"));
      renameSync(folder.path("..data_tmp"), folder.path("..data"));
    };
    publish("..2027_1", config("info"));
    symlinkSync("..data/gateway.yaml", folder.path("gateway.yaml"));
    const { level } = follow(folder.path("gateway.yaml"));
    publish("..2027_2", config("warn"));
    await until(() => level() === "warn");
    publish("..2027_3", config("error"));
    await until(() => level() === "error");
  });

  it("stays when the file is not valid, says so, and changes when it is well again", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info") });
    const { watch, loaded, rejected, level } = follow(folder.path("gateway.yaml"));
    folder.write("gateway.yaml", config("loud"));
    await until(() => rejected.length === 1);
    expect(rejected[0]).toContain("gateway.yaml:2: log.level:");
    expect(watch.rejection()?.problems).toHaveLength(2);
    expect([level(), watch.current().number]).toEqual(["info", 1]);
    folder.write("gateway.yaml", config("info"));
    await until(() => watch.rejection() === null);
    expect([level(), watch.current().number, loaded.length]).toEqual(["info", 2, 1]);
  });

  it("stays when the file goes, and changes when it comes back", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info") });
    const { rejected, level } = follow(folder.path("gateway.yaml"));
    unlinkSync(folder.path("gateway.yaml"));
    await until(() => rejected.length === 1);
    expect(level()).toBe("info");
    folder.write("gateway.yaml", config("warn"));
    await until(() => level() === "warn");
  });

  it("is the last of many quick writes", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info") });
    const { loaded, level } = follow(folder.path("gateway.yaml"));
    for (let count = 0; count < 50; count += 1)
      folder.write("gateway.yaml", config(count % 2 === 0 ? "warn" : "error"));
    folder.write("gateway.yaml", config("debug"));
    await until(() => level() === "debug");
    expect(loaded.length).toBeLessThan(50);
  });

  it("changes with a secret's file, also one that was missing", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info", `\${file:key}`), key: "one\n" });
    const { watch, rejected } = follow(folder.path("gateway.yaml"));
    const key = () => watch.current().config.upstreams.main?.apiKey;
    folder.write("key", "two\n");
    await until(() => key() === "two");
    folder.write("gateway.yaml", config("info", `\${file:other}`));
    await until(() => rejected.length === 1);
    folder.write("other", "three\n");
    await until(() => key() === "three");
  });

  it("does not change with what means the same", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info") });
    const { watch, loaded, level } = follow(folder.path("gateway.yaml"));
    folder.write("gateway.yaml", `# a comment\n${config("info")}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([watch.current().number, loaded.length]).toEqual([1, 0]);
    folder.write("gateway.yaml", config("warn"));
    await until(() => level() === "warn");
    expect(watch.current().number).toBe(2);
  });

  it("stays when what is built from it fails", async () => {
    using folder = temporaryFolder({ "gateway.yaml": config("info") });
    const rejected: string[] = [];
    const watch = watchConfig({
      path: folder.path("gateway.yaml"),
      env: {},
      debounceMs: 20,
      pollMs: 50,
      onLoaded: () => {
        throw new Error("out of sockets");
      },
      onRejected: (error) => rejected.push(error.message)
    });
    open.push(watch);
    folder.write("gateway.yaml", config("warn"));
    await until(() => rejected.length === 1);
    expect(rejected[0]).toContain("it could not be taken into force");
    expect(watch.current()).toMatchObject({ number: 1, config: { log: { level: "info" } } });
  });

  it("must be valid at the start", () => {
    using folder = temporaryFolder({ "gateway.yaml": config("loud") });
    expect(problemsOf(() => follow(folder.path("gateway.yaml")))).toHaveLength(2);
  });
});
