/** What the fake upstream held at every revision, so that each answer can be held against it. */
import type { FakePage, FakeUpstream, KnowledgeBaseModel } from "../harness/fake-upstream.ts";
import type { Random } from "./random.ts";

const DIRECTORIES = ["guides", "notes", "secret", "tools"];
const PAGES_EACH = 12;
const SECRET = /^pages\/secret\//;
/** No request takes so long that older revisions could still be told of. */
const KEPT_MS = 60_000;

/** One revision, and the time in which it was the current one. */
export interface Snapshot {
  readonly revision: number;
  readonly from: number;
  to: number;
  /** Path → version, in the upstream's order. */
  readonly pages: ReadonlyMap<string, number>;
}

/** From one moment to another, milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function pageAt(path: string, version: number): FakePage {
  return {
    path,
    title: `Page ${path}, version ${version}`,
    content: `# ${path}\n\nVersion ${version}. About the cache.\n`
  };
}

/** The version that a text tells of itself; null where it is none of these pages' texts. */
export function versionIn(text: string): number | null {
  const [, version] = /[Vv]ersion (\d+)/.exec(text) ?? [];
  return version === undefined ? null : Number(version);
}

export function firstPages(): FakePage[] {
  return DIRECTORIES.flatMap((directory) =>
    Array.from({ length: PAGES_EACH }, (_, index) => pageAt(`pages/${directory}/page-${index}.md`, 1))
  );
}

/** Each page leads to the next two, whether they are there or not. */
export function relations() {
  return DIRECTORIES.flatMap((directory) =>
    Array.from({ length: PAGES_EACH }, (_, index) =>
      [1, 2].map((step) => ({
        from: `pages/${directory}/page-${index}.md`,
        to: `pages/${directory}/page-${(index + step) % PAGES_EACH}.md`
      }))
    ).flat()
  );
}

export class Truth {
  readonly #model: KnowledgeBaseModel;
  #history: Snapshot[];
  readonly #withdrawn: (Span & { readonly path: string })[] = [];
  /** Every page there ever was. */
  readonly paths = firstPages().map(({ path }) => path);
  publications = 0;

  constructor(upstream: FakeUpstream) {
    this.#model = upstream.knowledgeBase();
    this.#history = [this.#snapshot()];
  }

  get current(): Snapshot {
    const last = this.#history.at(-1);
    if (last === undefined) throw new Error("no revision");
    return last;
  }

  /** Changes, removes or brings back a page, and publishes it. */
  publish(random: Random): void {
    const path = random.one(this.paths);
    const version = (this.current.pages.get(path) ?? 0) + this.publications + 1;
    if (this.current.pages.has(path) && random.chance(0.2)) this.#model.removePage(path);
    else this.#model.addPage(pageAt(path, version));
    this.#model.publish();
    this.publications += 1;
    const now = Date.now();
    this.current.to = now;
    this.#history.push(this.#snapshot());
    this.#history = this.#history.filter(({ to }) => to > now - KEPT_MS);
  }

  /** Takes a page's content away for a while, as an upstream does before it replaces it. */
  withdraw(path: string, from: number, to: number): void {
    this.#withdrawn.push({ path, from, to });
    this.#model.withdrawContent(path);
  }

  giveBack(path: string): void {
    this.#model.withdrawContent(path, false);
  }

  /** The revisions that were current at some time of the span. */
  during({ from, to }: Span): readonly Snapshot[] {
    return this.#history.filter((snapshot) => snapshot.from <= to && snapshot.to >= from);
  }

  wasWithdrawn(path: string, { from, to }: Span): boolean {
    return this.#withdrawn.some((withdrawn) => withdrawn.path === path && withdrawn.from <= to && withdrawn.to >= from);
  }

  #snapshot(): Snapshot {
    const pages = new Map(this.#model.pages.map(({ path, content }) => [path, versionIn(content ?? "") ?? 0]));
    return { revision: this.#model.revision, from: Date.now(), to: Number.POSITIVE_INFINITY, pages };
  }
}

/** The pages that a tenant may see. */
export function visible({ pages }: Snapshot, restricted: boolean): string[] {
  return [...pages.keys()].filter((path) => !restricted || !SECRET.test(path));
}

export function isSecret(path: string): boolean {
  return SECRET.test(path);
}

/** Where a page's relations lead at a revision, in the upstream's order. */
export function neighbors(snapshot: Snapshot, path: string, restricted: boolean): string[] {
  const seen = new Set(visible(snapshot, restricted));
  return relations()
    .filter(({ from, to }) => from === path || to === path)
    .map(({ from, to }) => (from === path ? to : from))
    .filter((other) => seen.has(other));
}
