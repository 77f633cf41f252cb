/** One case: a caller, a question and the surface it is asked through, made of small numbers so that it shrinks. */
import fc from "fast-check";
import { type Caller, OPERATIONS, type Operation } from "./caller.ts";
import { expectedOf, type Target } from "./expected.ts";
import { mark } from "./marks.ts";
import { type Question, SURFACE_NAMES, type SurfaceName } from "./surfaces.ts";
import { type Base, type Page, WORDS, type World } from "./world.ts";

/** Drawn before there is a world to draw from: numbers are taken modulo what there is. */
export interface Draw {
  readonly caller: number;
  readonly base: number;
  readonly operation: Operation;
  readonly surface: SurfaceName;
  readonly target: number;
  readonly kind: "likely" | "any" | "generated" | "absent" | "name" | "edge";
  readonly byPath: boolean;
  readonly depth: number;
  readonly limit: number | undefined;
  /** Whether the knowledge base is one that the caller knows, where there is one. */
  readonly known: boolean;
}

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

export const draws: fc.Arbitrary<Draw> = fc.record({
  caller: fc.nat(20),
  base: fc.nat(20),
  // Lists far more often than single files: only they can show and hide in one answer.
  operation: fc.oneof(
    often(8, fc.constantFrom<Operation>("list_tree", "search_files", "read_related", "expand_graph")),
    often(1, fc.constantFrom(...OPERATIONS))
  ),
  surface: fc.constantFrom(...SURFACE_NAMES),
  target: fc.nat(1000),
  kind: fc.oneof(
    often(10, fc.constant("likely" as const)),
    often(3, fc.constantFrom("any" as const, "generated" as const, "name" as const)),
    often(2, fc.constant("edge" as const)),
    often(1, fc.constant("absent" as const))
  ),
  byPath: fc.boolean(),
  depth: fc.integer({ min: 1, max: 2 }),
  limit: fc.constantFrom(undefined, undefined, 1, 2, 3, 50),
  known: fc.oneof(often(12, fc.constant(true)), often(1, fc.constant(false)))
});

export interface Case {
  readonly caller: Caller;
  readonly base: Base;
  readonly surface: SurfaceName;
  readonly question: Question;
  readonly target: Target;
  readonly depth: number;
}

export function caseOf(drawn: Draw, world: World, callers: readonly Caller[]): Case {
  const caller = callerFor(drawn, world, callers);
  const draw = { ...drawn, operation: operationFor(drawn, world, caller) };
  const { operation, surface, depth, limit, byPath, kind } = draw;
  const base = pick(basesFor(draw, world, caller), draw.base);
  const mixed = kind === "likely" ? mixedTargets(draw, base, caller) : [];
  const target = mixed.length > 0 ? pick(mixed, draw.target) : targetOf(draw, base, caller);
  const question: Question = {
    operation,
    key: byPath ? base.slug : base.id,
    id: base.id,
    args: argsOf(draw, base, target),
    limit: isList(operation) ? limit : undefined
  };
  return { caller, base, surface, question, target, depth };
}

/** The one drawn, unless others have something to show and to hide, and it has not. */
function callerFor(draw: Draw, world: World, callers: readonly Caller[]): Caller {
  const telling =
    draw.kind === "likely" ? callers.filter((caller) => tellingOperations(draw, world, caller).length > 0) : [];
  return pick(telling.length > 0 ? telling : callers, draw.caller);
}

function operationFor(draw: Draw, world: World, caller: Caller): Operation {
  if (draw.kind === "edge") return "search_files";
  if (draw.kind !== "likely") return draw.operation;
  return tellingOperations(draw, world, caller)[0] ?? draw.operation;
}

/** The operations with something to show and to hide, the one drawn first. */
function tellingOperations(draw: Draw, { bases }: World, caller: Caller): readonly Operation[] {
  const after = OPERATIONS.indexOf(draw.operation);
  const inTurn = [...OPERATIONS.slice(after), ...OPERATIONS.slice(0, after)];
  return inTurn.filter((operation) =>
    bases.some((base) => mixedTargets({ ...draw, operation }, base, caller).length > 0)
  );
}

function basesFor(draw: Draw, { bases }: World, caller: Caller): readonly Base[] {
  const fitting = bases.filter((base) => (draw.known ? caller.may(base, draw.operation) : !caller.knows(base)));
  const isMixed = (base: Base) =>
    draw.kind === "edge" ? edgesOut(base, caller).length > 0 : mixedTargets(draw, base, caller).length > 0;
  const mixed = draw.kind === "likely" || draw.kind === "edge" ? fitting.filter(isMixed) : [];
  return mixed.length > 0 ? mixed : fitting.length > 0 ? fitting : bases;
}

/** What the caller may see one part of, and not another. */
function mixedTargets({ operation, depth }: Draw, base: Base, caller: Caller): readonly Target[] {
  return candidates(operation, base).filter((target) => {
    const { visibleRows, hiddenRows } = expectedOf(caller, base, operation, target, { depth });
    return visibleRows > 0 && hiddenRows > 0;
  });
}

/** Pages that the caller sees nothing of, related to one that it finds. */
function edgesOut(base: Base, caller: Caller): readonly Page[] {
  const { pages, relations } = base;
  const found = new Set(pages.map(({ path }) => path).filter((path) => caller.sees(base, "search_files", path)));
  return pages.filter(
    ({ path }) =>
      !OPERATIONS.some((operation) => caller.sees(base, operation, path)) &&
      relations.some(({ from, to }) => (from === path && found.has(to)) || (to === path && found.has(from)))
  );
}

function candidates(operation: Operation, base: Base): readonly Target[] {
  if (operation === "search_files") return WORDS.map((query) => ({ kind: "words", query }));
  if (operation === "list_tree") return directoriesOf(base).map((path) => ({ kind: "directory", path }));
  return base.pages.map((page) => ({ kind: "page", page }));
}

function directoriesOf(base: Base): readonly string[] {
  return ["pages", ...base.directories.keys()];
}

export function isList(operation: Operation): boolean {
  return operation !== "get_file" && operation !== "read_file";
}

function targetOf(draw: Draw, base: Base, caller: Caller): Target {
  const { operation, kind, target, byPath } = draw;
  if (operation === "list_tree") return { kind: "directory", path: directoryOf(kind, target, base) };
  if (operation === "search_files") {
    return {
      kind: "words",
      query: kind === "edge" ? edgeQuery(draw, base, caller) : queryOf(kind, target, byPath, base)
    };
  }
  if (kind === "absent") return { kind: "absent" };
  if (kind === "generated") {
    const generated = [...base.model.files().values()].filter((file) => file.page === null);
    return { kind: "generated", path: pick(generated, target).path };
  }
  const seen = caller.visible(base, operation);
  return { kind: "page", page: pick(kind === "likely" && seen.length > 0 ? seen : base.pages, target) };
}

function directoryOf(kind: Draw["kind"], target: number, base: Base): string {
  if (kind === "absent") return `pages/none-${target}`;
  if (kind === "generated") return pick(["", "_graph", "_index", "_graph/by-file", "_index/pages"], target);
  return pick(directoriesOf(base), target);
}

function queryOf(kind: Draw["kind"], target: number, whole: boolean, base: Base): string {
  if (kind === "absent") return "zzzzz";
  // A name that only who has seen it can know, and of which more than the name must not come back.
  if (kind === "name") return mark(whole ? "content" : "title", pick(base.pages, target).number);
  return kind === "likely" ? "shared" : pick(WORDS, target);
}

/** What a relation's record says of its hidden end, alone or beside a word that visible pages hold. */
function edgeQuery({ target, byPath }: Draw, base: Base, caller: Caller): string {
  const ends = edgesOut(base, caller);
  const title = mark("title", pick(ends.length > 0 ? ends : base.pages, target).number);
  return byPath ? `shared ${title}` : title;
}

function argsOf({ operation, byPath, depth }: Draw, base: Base, target: Target): Question["args"] {
  switch (target.kind) {
    case "directory":
      return { parentPath: target.path === "" ? undefined : target.path };
    case "words":
      return { query: target.query, graphDepth: depth, graphFanout: 25, ...(byPath ? { fileKind: "all" } : {}) };
    default: {
      const path =
        target.kind === "page" ? target.page.path : target.kind === "generated" ? target.path : "pages/none.md";
      if (operation === "read_file" && byPath) return { path };
      const fileId =
        target.kind === "absent" ? "source-file-00000000-0000-4000-8000-000000000000" : base.model.fileId(path);
      return operation === "expand_graph" ? { fileId, depth, fanout: 25 } : { fileId };
    }
  }
}

export function pick<T>(from: readonly T[], index: number): T {
  const picked = from[index % from.length];
  if (picked === undefined) throw new Error("there is nothing to pick from");
  return picked;
}
