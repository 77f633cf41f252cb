import { describe, expect, it } from "vitest";
import { OPERATION_NAMES } from "../../src/policy/access.ts";
import { anonymousAccess, createAccess } from "../../src/policy/grants.ts";
import { acme, configOf, type GrantInput } from "./configs.ts";

const caller = { tenant: "acme", subject: "bot" };
const access = (...grants: GrantInput[]) => createAccess(acme(...grants), caller);
const keys = (list: readonly { key: string }[]) => list.map(({ key }) => key);

describe("what a grant is for", () => {
  it("opens knowledge bases by slug, in the configuration's order", () => {
    expect(keys(access({ knowledgeBases: ["archive", "handbook"] }).named)).toEqual(["handbook", "archive"]);
  });

  it("opens a knowledge base by the upstream id, under its slug where it has one", () => {
    const { named, candidates } = access({ knowledgeBases: ["knowledge-base-h"] });
    expect(keys(named)).toEqual(["handbook"]);
    expect(keys(candidates("knowledge-base-h"))).toEqual(["handbook"]);
    expect(keys(candidates("handbook"))).toEqual(["handbook"]);
  });

  it("opens an id without a slug in the upstream that the grant names", () => {
    const { named } = access({ knowledgeBases: ["knowledge-base-x"], upstream: "second" });
    expect(named).toMatchObject([{ key: "knowledge-base-x", id: "knowledge-base-x", upstream: "second" }]);
  });

  it("opens nothing for an id without a slug that could be in two upstreams", () => {
    expect(access({ knowledgeBases: ["knowledge-base-x"] }).named).toEqual([]);
  });

  it("opens every knowledge base of an upstream", () => {
    const { named, wholeUpstreams, candidates, forId } = access({ upstream: "main" });
    expect(wholeUpstreams).toEqual(["main"]);
    expect(named).toEqual([]);
    expect(candidates("handbook")).toMatchObject([{ key: "handbook", id: "knowledge-base-h" }]);
    expect(candidates("anything")).toMatchObject([{ key: "anything", id: "anything", upstream: "main" }]);
    expect(forId("main", "knowledge-base-h")).toMatchObject({ key: "handbook" });
    expect(forId("main", "other")).toMatchObject({ key: "other" });
    expect(forId("second", "other")).toBeNull();
    expect(candidates("wiki")).toEqual([]);
    expect(candidates("knowledge-base-w")).toMatchObject([{ upstream: "main", key: "knowledge-base-w" }]);
  });

  it("finds an unlisted id in each upstream that is granted whole", () => {
    const { candidates } = access({ upstream: "second" }, { upstream: "main" });
    expect(candidates("x").map(({ upstream }) => upstream)).toEqual(["main", "second"]);
    expect(candidates("knowledge-base-w").map(({ upstream }) => upstream)).toEqual(["second"]);
  });

  it("lists a knowledge base once, with its upstream or by name", () => {
    const { named, wholeUpstreams } = access({ upstream: "main" }, { knowledgeBases: ["handbook", "wiki"] });
    expect(wholeUpstreams).toEqual(["main"]);
    expect(keys(named)).toEqual(["wiki"]);
  });

  it.each(["constructor", "__proto__", "toString", "", "tenants"])("invariant 2: %j names nothing", (key) => {
    const { candidates, forId } = access({ knowledgeBases: ["handbook"] });
    expect(candidates(key)).toEqual([]);
    expect(forId("main", key)).toBeNull();
    expect(() => createAccess(acme(), { tenant: key, subject: "x" })).toThrow(/bearer/);
  });

  it("invariant 2: an id is granted in its own upstream only", () => {
    const { forId, candidates } = access({ knowledgeBases: ["knowledge-base-h"], upstream: "second" });
    expect(candidates("knowledge-base-h")).toMatchObject([{ upstream: "second", key: "knowledge-base-h" }]);
    expect(candidates("handbook")).toEqual([]);
    expect(forId("main", "knowledge-base-h")).toBeNull();
  });

  it("invariant 2: what is not granted is no candidate", () => {
    const { candidates } = access({ knowledgeBases: ["handbook"] });
    for (const key of ["archive", "knowledge-base-a", "wiki", "random"]) expect(candidates(key)).toEqual([]);
  });
});

describe("who a grant is for", () => {
  it.each([
    [["admin-*"], "admin-7", true],
    [["admin-*"], "admin-", true],
    [["admin-*"], "xadmin-7", false],
    [["admin-*"], "Admin-7", false],
    [["*"], "anybody\nelse", true],
    [["a.c"], "abc", false],
    [["a", "b"], "b", true],
    [["a*c"], "abbc", true],
    [["*@example.com"], "me@example.com.evil", false]
  ])("%j means %j: %j", (subjects, subject, expected) => {
    const { named } = createAccess(acme({ knowledgeBases: ["handbook"], subjects }), { tenant: "acme", subject });
    expect(named.length === 1).toBe(expected);
  });

  it("gives each subject its own decisions, in any order of asking", () => {
    const config = acme(
      { knowledgeBases: ["handbook"], paths: { allow: ["pages/public/**"] } },
      { knowledgeBases: ["handbook"], subjects: ["admin"] }
    );
    const sees = (subject: string) =>
      createAccess(config, { tenant: "acme", subject }).named[0]?.file(
        { path: "pages/hr/a.md", generated: false },
        "read_file"
      ).allowed;
    expect([sees("bot"), sees("admin"), sees("bot")]).toEqual([false, true, false]);
  });
});

describe("operations", () => {
  it("are all six where left out", () => {
    expect([...(access({ knowledgeBases: ["handbook"] }).named[0]?.operations ?? [])]).toEqual([...OPERATION_NAMES]);
  });

  it("join over grants, and each keeps its own paths", () => {
    const [kb] = access(
      { knowledgeBases: ["handbook"], operations: ["search_files"] },
      { knowledgeBases: ["handbook"], operations: ["read_file"], paths: { allow: ["pages/a/**"] } }
    ).named;
    expect([...(kb?.operations ?? [])].sort()).toEqual(["read_file", "search_files"]);
    expect(kb?.restricted("search_files")).toBe(false);
    expect(kb?.restricted("read_file")).toBe(true);
    expect(kb?.file({ path: "pages/b/x.md", generated: false }, "search_files").allowed).toBe(true);
    expect(kb?.file({ path: "pages/b/x.md", generated: false }, "read_file").allowed).toBe(false);
    expect(kb?.file({ path: "pages/a/x.md", generated: false }, "read_file").allowed).toBe(true);
    expect(kb?.file({ path: "pages/a/x.md", generated: false }, "get_file").allowed).toBe(false);
    expect(kb?.directory("", "get_file")).toBe("hidden");
  });

  it("a deny of any grant holds for all operations", () => {
    const [kb] = access(
      { knowledgeBases: ["handbook"] },
      { knowledgeBases: ["handbook"], operations: ["search_files"], paths: { deny: ["pages/hr/**"] } }
    ).named;
    expect(kb?.restricted("read_file")).toBe(true);
    expect(kb?.file({ path: "pages/hr/a.md", generated: false }, "read_file")).toEqual({
      allowed: false,
      rule: "deny pages/hr/**",
      at: ["tenants", "acme", "grants", 1, "paths", "deny", 0]
    });
    expect(kb?.file({ path: "pages/b.md", generated: false }, "read_file").allowed).toBe(true);
    expect(kb?.file({ path: "index.md", generated: true }, "read_file").allowed).toBe(false);
  });

  it("a deny does not reach another knowledge base", () => {
    const { named } = access(
      { knowledgeBases: ["handbook", "archive"] },
      { knowledgeBases: ["archive"], paths: { deny: ["**"] } }
    );
    expect(named.map((kb) => kb.restricted("read_file"))).toEqual([false, true]);
  });

  it("a whole upstream's rules hold for the knowledge bases that have slugs in it", () => {
    const { forId } = access({ upstream: "main", paths: { deny: ["pages/hr/**"] } }, { knowledgeBases: ["handbook"] });
    const target = { path: "pages/hr/a.md", generated: false };
    expect(forId("main", "knowledge-base-h")?.file(target, "read_file").allowed).toBe(false);
  });
});

describe("without tenants", () => {
  it("everybody sees every upstream whole", () => {
    const everything = anonymousAccess(configOf());
    expect(everything).toMatchObject({ tenant: "anonymous", subject: "anonymous", wholeUpstreams: ["main", "second"] });
    expect(everything.candidates("handbook")[0]?.restricted("read_file")).toBe(false);
    expect(everything.limits.requestsPerMinute).toBeGreaterThan(1e12);
    expect(everything.limits.pageSize).toBe(500);
  });

  it("is refused where there are tenants", () => {
    expect(() => anonymousAccess(acme())).toThrow(/bearer/);
    expect(() => createAccess(configOf(), caller)).toThrow(/bearer/);
  });
});
