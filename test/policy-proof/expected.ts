/** What the model says of a question: how it must end, what must be in the answer, and what there is that must not be. */
import { parentOf } from "../harness/fake-model.ts";
import type { Caller, Operation } from "./caller.ts";
import { mark } from "./marks.ts";
import type { Base, Page } from "./world.ts";

/** What a question is about. */
export type Target =
  | { readonly kind: "page"; readonly page: Page }
  | { readonly kind: "generated"; readonly path: string }
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "words"; readonly query: string }
  | { readonly kind: "absent" };

export interface Expected {
  /** Codes that the question may end with; null is success. */
  readonly codes: readonly (string | null)[];
  /** Marks that must be in the answer. */
  readonly present: readonly string[];
  /** Rows that there are, of which the caller must not see … and those that it must. */
  readonly hiddenRows: number;
  readonly visibleRows: number;
}

const nothing = (...codes: (string | null)[]): Expected => ({ codes, present: [], hiddenRows: 0, visibleRows: 0 });

export interface Depth {
  readonly depth: number;
}

export function expectedOf(
  caller: Caller,
  base: Base,
  operation: Operation,
  target: Target,
  { depth }: Depth
): Expected {
  if (!caller.knows(base)) return nothing("NOT_FOUND", ...(caller.lacksInUpstream(operation) ? ["FORBIDDEN"] : []));
  if (!caller.may(base, operation)) return nothing("FORBIDDEN");
  switch (target.kind) {
    case "absent":
      return nothing("NOT_FOUND");
    case "generated":
      return ofGenerated(caller, base, operation, target.path);
    case "directory":
      return rowsOf(entriesOf(caller, base, target.path));
    case "words":
      return rowsOf(hitsOf(caller, base, target.query));
    case "page":
      if (!caller.sees(base, operation, target.page.path)) return nothing("NOT_FOUND");
      return ofPage(caller, base, operation, target.page, depth);
  }
}

/** A row that there is, and whether the caller may see it. */
interface Row {
  readonly mark: string;
  readonly visible: boolean;
}

function rowsOf(rows: readonly Row[]): Expected {
  const visible = rows.filter((row) => row.visible);
  return {
    codes: [null],
    present: visible.map((row) => row.mark),
    visibleRows: visible.length,
    hiddenRows: rows.length - visible.length
  };
}

function entriesOf(caller: Caller, base: Base, directory: string): Row[] {
  const pages = base.pages.filter(({ path }) => parentOf(path) === directory);
  const directories = [...base.directories].filter(([path]) => parentOf(path) === directory);
  return [
    ...pages.map((page) => ({ mark: mark("name", page.number), visible: caller.sees(base, "list_tree", page.path) })),
    ...directories.map(([path, number]) => ({
      mark: mark("directory", number),
      visible: caller.seesDirectory(base, "list_tree", path)
    }))
  ];
}

/** A page is found by any word of the query that is in its text. */
function hitsOf(caller: Caller, base: Base, query: string): Row[] {
  const words = query.split(" ");
  return base.pages
    .filter(({ path, fake }) => {
      const text =
        `${path}\n${fake.title}\n${fake.description}\n${fake.tags?.join("\n")}\n${fake.content}`.toLowerCase();
      return words.some((word) => text.includes(word));
    })
    .map((page) => ({ mark: mark("name", page.number), visible: caller.sees(base, "search_files", page.path) }));
}

function ofPage(caller: Caller, base: Base, operation: Operation, page: Page, depth: number): Expected {
  if (operation === "read_related") return rowsOf(relationRows(caller, base, operation, page, 1));
  if (operation === "expand_graph") return rowsOf(relationRows(caller, base, operation, page, depth));
  const part = operation === "read_file" ? "content" : "description";
  return rowsOf([{ mark: mark(part, page.number), visible: true }]);
}

/** Relations around a page, those of its neighbours too where two steps are asked; shown where both ends are. */
function relationRows(caller: Caller, base: Base, operation: Operation, page: Page, depth: number): Row[] {
  const rows: Row[] = [];
  const reached = new Set([page.path]);
  let frontier = [page.path];
  for (let step = 1; step <= depth; step += 1) {
    const next: string[] = [];
    for (const from of frontier) {
      for (const { number, other } of neighboursOf(base, from)) {
        if (other === page.path) continue;
        const visible = [from, other].every((path) => caller.sees(base, operation, path));
        rows.push({ mark: mark("reason", number), visible });
        if (!reached.has(other)) next.push(other);
        reached.add(other);
      }
    }
    frontier = next;
  }
  return rows;
}

function neighboursOf(base: Base, path: string): { number: number; other: string }[] {
  return base.relations.flatMap(({ number, from, to }) =>
    from === path ? [{ number, other: to }] : to === path ? [{ number, other: from }] : []
  );
}

function ofGenerated(caller: Caller, base: Base, operation: Operation, path: string): Expected {
  if (!caller.mayOpenGenerated(base, operation, path)) return nothing("NOT_FOUND");
  const open = caller.mustOpenGenerated(base, operation, path);
  // No generated file has relations: the upstream says so of those that there are.
  if (operation === "read_related") return nothing("NOT_FOUND", "CONFLICT");
  if (operation === "expand_graph") return nothing("NOT_FOUND");
  return nothing(null, ...(open ? [] : ["NOT_FOUND"]));
}
