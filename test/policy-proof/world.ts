/** Random knowledge bases: trees of pages with odd names, relations between them, and a mark in everything. */
import fc from "fast-check";
import { type FakeFile, type FakePage, KnowledgeBaseModel, parentOf } from "../harness/fake-model.ts";
import { mark, type Part } from "./marks.ts";

export interface Page {
  readonly number: number;
  readonly path: string;
  readonly fake: FakePage;
}

export interface Relation {
  readonly number: number;
  readonly from: string;
  readonly to: string;
}

export interface Base {
  readonly number: number;
  /** The slug it has in the configuration. */
  readonly slug: string;
  readonly id: string;
  readonly upstream: string;
  readonly pages: readonly Page[];
  /** Path → number, for every directory below `pages`. */
  readonly directories: ReadonlyMap<string, number>;
  readonly relations: readonly Relation[];
  /** What the fake upstream makes of it: ids, generated files. */
  readonly model: KnowledgeBaseModel;
}

/** Whose a mark or an id is. */
export type Owner =
  | { readonly kind: "page"; readonly base: Base; readonly page: Page; readonly part: Part | "id" }
  | { readonly kind: "directory"; readonly base: Base; readonly path: string }
  | { readonly kind: "relation"; readonly base: Base; readonly relation: Relation }
  | { readonly kind: "generated"; readonly base: Base; readonly file: FakeFile }
  | { readonly kind: "knowledgeBase"; readonly base: Base };

export interface World {
  readonly bases: readonly Base[];
  owner(found: string): Owner | undefined;
}

/** Words that pages have in common; a page holds some of them. */
export const WORDS = ["shared", "alpha", "beta"] as const;
export const KINDS = ["hr", "HR", "notes", ".git", "x y", "(old)", "[x]", "caf\u00e9"] as const;
const STEMS = [
  "",
  "",
  ".",
  "[draft] ",
  "(v1) ",
  "%73",
  "#",
  "?",
  "+&=",
  "{a,b} ",
  "!",
  "\u00e9",
  "\u65e5\u672c "
] as const;

interface PageSeed {
  readonly chain: number;
  readonly stem: string;
  readonly words: readonly string[];
}

interface BaseSeed {
  readonly chains: readonly (readonly string[])[];
  readonly pages: readonly PageSeed[];
  readonly relations: readonly (readonly [number, number])[];
}

const chain = fc.array(fc.constantFrom(...KINDS), { maxLength: 3 });
const page: fc.Arbitrary<PageSeed> = fc.record({
  chain: fc.nat(4),
  stem: fc.constantFrom(...STEMS),
  words: fc.subarray(["alpha", "beta"])
});
const base = (pages: number): fc.Arbitrary<BaseSeed> =>
  fc.record({
    chains: fc.array(chain, { minLength: 2, maxLength: 5 }),
    pages: fc.array(page, { minLength: 4, maxLength: pages }),
    relations: fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { minLength: 4, maxLength: 3 * pages })
  });

/** Two knowledge bases of one upstream and one of another. */
export const worlds: fc.Arbitrary<World> = fc.tuple(base(12), base(8), base(6)).map(([one, two, three]) =>
  worldOf([
    ["one", "main", one],
    ["two", "main", two],
    ["three", "second", three]
  ])
);

function worldOf(seeds: readonly (readonly [slug: string, upstream: string, seed: BaseSeed])[]): World {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  const bases = seeds.map(([slug, upstream, seed]) => baseOf(slug, upstream, seed, next));
  const owners = new Map(bases.flatMap(ownersOf));
  return { bases, owner: (found) => owners.get(found) };
}

function baseOf(slug: string, upstream: string, seed: BaseSeed, next: () => number): Base {
  const number = next();
  const directories = new Map<string, number>();
  const chains = seed.chains.map((kinds) => chainOf(kinds, directories, next));
  const pages = seed.pages.map((page): Page => {
    const own = next();
    const directory = chains[page.chain % chains.length] ?? "pages";
    const path = `${directory}/${page.stem}${mark("name", own)}.md`;
    return { number: own, path, fake: fakePage(path, own, page.words) };
  });
  for (const path of directories.keys())
    if (!pages.some((page) => page.path.startsWith(`${path}/`))) directories.delete(path);
  return complete({ number, slug, upstream, pages, directories, relations: relationsOf(seed, pages, next) });
}

/** A knowledge base of these pages; what the upstream makes of them follows. */
export function complete(parts: Omit<Base, "id" | "model">): Base {
  const id = `knowledge-base-00000000-0000-4000-8000-${String(parts.number).padStart(12, "0")}`;
  const model = new KnowledgeBaseModel({
    id,
    name: `Base ${mark("knowledgeBase", parts.number)}`,
    revision: 1,
    pages: parts.pages.map(({ fake }) => fake),
    relations: parts.relations.map(({ number, from, to }) => ({
      from,
      to,
      reason: `because ${mark("reason", number)}`
    }))
  });
  return { ...parts, id, model };
}

/** The path of a directory below `pages`, each level with a mark of its own; equal chains are one directory. */
function chainOf(kinds: readonly string[], directories: Map<string, number>, next: () => number): string {
  let path = "pages";
  for (const kind of kinds) {
    const known = [...directories.keys()].find((other) => parentOf(other) === path && kindOf(other) === kind);
    const number = next();
    const child = known ?? `${path}/${kind}-${mark("directory", number)}`;
    if (known === undefined) directories.set(child, number);
    path = child;
  }
  return path;
}

/** The kind of the last directory in a path: its name without the mark. */
export function kindOf(directory: string): string {
  const name = directory.slice(directory.lastIndexOf("/") + 1);
  return name.slice(0, name.lastIndexOf("-"));
}

function fakePage(path: string, number: number, words: readonly string[]): FakePage {
  const title = `Title ${mark("title", number)}`;
  return {
    path,
    title,
    description: `About ${mark("description", number)}`,
    tags: [mark("tag", number)],
    frontmatter: { owner: mark("frontmatter", number) },
    content: `# ${title}\n\nshared ${words.join(" ")} ${mark("content", number)}\n`
  };
}

function relationsOf({ relations }: BaseSeed, pages: readonly Page[], next: () => number): Relation[] {
  const pairs = new Set(relations.map(([from, to]) => `${from % pages.length} ${to % pages.length}`));
  return [...pairs].flatMap((pair) => {
    const [from, to] = pair.split(" ").map((index) => pages[Number(index)]);
    return from === undefined || to === undefined || from === to
      ? []
      : [{ number: next(), from: from.path, to: to.path }];
  });
}

const PAGE_PARTS = ["name", "title", "description", "tag", "frontmatter", "content"] as const;

function ownersOf(base: Base): (readonly [string, Owner])[] {
  const pages = base.pages.flatMap((page): (readonly [string, Owner])[] => [
    [base.model.fileId(page.path), { kind: "page", base, page, part: "id" }],
    ...PAGE_PARTS.map((part) => [mark(part, page.number), { kind: "page", base, page, part }] as const)
  ]);
  const directories = [...base.directories].flatMap(([path, number]): (readonly [string, Owner])[] => [
    [mark("directory", number), { kind: "directory", base, path }],
    [base.model.directoryId(path), { kind: "directory", base, path }]
  ]);
  const generated = [...base.model.files().values()].filter((file) => file.page === null);
  return [
    ...pages,
    ...directories,
    ...base.relations.map(
      (relation) => [mark("reason", relation.number), { kind: "relation", base, relation }] as const
    ),
    ...generated.map((file) => [file.id, { kind: "generated", base, file }] as const),
    [mark("knowledgeBase", base.number), { kind: "knowledgeBase", base }]
  ];
}
