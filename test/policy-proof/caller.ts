/** Who asks, and a plain model of what it may see. It reads the grants that the proof made, and nothing of the gateway. */
import { graphPathOf } from "../harness/fake-model.ts";
import type { Rule } from "./rules.ts";
import type { Base, Owner, Page } from "./world.ts";

export const OPERATIONS = [
  "search_files",
  "read_file",
  "list_tree",
  "get_file",
  "read_related",
  "expand_graph"
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Grant {
  /** Slugs; null is every knowledge base of `upstream`. */
  readonly bases: readonly string[] | null;
  readonly upstream: string;
  readonly byId: boolean;
  readonly subjects: readonly string[] | undefined;
  readonly operations: readonly Operation[] | undefined;
  readonly allow: readonly Rule[] | undefined;
  readonly deny: readonly Rule[] | undefined;
}

/** Those of `subjects` that mean the subject that every caller here has. */
export const SUBJECT = "test";
const MEANS_SUBJECT = ["test", "te*", "*"];

const asWritten = (text: string) => text;
const inAnyCase = (text: string) => text.toLowerCase();

export class Caller {
  readonly tenant: string;
  readonly grants: readonly Grant[];

  constructor(tenant: string, grants: readonly Grant[]) {
    this.tenant = tenant;
    this.grants = grants;
  }

  grantsFor(base: Base): readonly Grant[] {
    return this.#applying.filter(({ bases, upstream }) =>
      bases === null ? upstream === base.upstream : bases.includes(base.slug)
    );
  }

  knows(base: Base): boolean {
    return this.grantsFor(base).length > 0;
  }

  may(base: Base, operation: Operation): boolean {
    return this.#opening(base, operation).length > 0;
  }

  /**
   * Whether an id that is in no configuration of this caller's could still be one of its own: all knowledge bases of an
   * upstream are, those too that nobody has heard of. Then an operation that the upstream's grants lack is said to be.
   */
  lacksInUpstream(operation: Operation): boolean {
    const whole = this.#applying.filter(({ bases }) => bases === null);
    return (
      whole.length > 0 && !whole.some(({ operations }) => operations === undefined || operations.includes(operation))
    );
  }

  /** Whether path rules hide anything from the operation, or could. */
  restricted(base: Base, operation: Operation): boolean {
    return !this.#opening(base, operation).some(({ allow }) => allow === undefined) || this.#denies(base).length > 0;
  }

  /** Whether the operation may show an uploaded page. */
  sees(base: Base, operation: Operation, path: string): boolean {
    if (this.#denies(base).some((rule) => rule.matches(path, inAnyCase))) return false;
    return this.#opening(base, operation).some(
      ({ allow }) => allow === undefined || allow.some((rule) => rule.matches(path, asWritten))
    );
  }

  visible(base: Base, operation: Operation): readonly Page[] {
    return base.pages.filter(({ path }) => this.sees(base, operation, path));
  }

  /** A directory's name is shown with what is in it, and never without. */
  seesDirectory(base: Base, operation: Operation, directory: string): boolean {
    return this.visible(base, operation).some(({ path }) => path.startsWith(`${directory}/`));
  }

  /**
   * What the upstream made itself: open without path rules, else only where a rule names it, none denies it, and every
   * page that it is made from may be seen.
   */
  mayOpenGenerated(base: Base, operation: Operation, path: string): boolean {
    if (!this.may(base, operation)) return false;
    if (!this.restricted(base, operation)) return true;
    return (
      this.#isNamed(base, operation, path) &&
      sourcesOf(base, path).every((page) => this.sees(base, operation, page.path))
    );
  }

  /** Whether a generated file must be open: nothing that it could tell of can be hidden. */
  mustOpenGenerated(base: Base, operation: Operation, path: string): boolean {
    if (!this.may(base, operation)) return false;
    if (!this.restricted(base, operation)) return true;
    if (!this.#isNamed(base, operation, path)) return false;
    const page = base.pages.find((candidate) => graphPathOf(candidate.path) === path);
    if (page !== undefined) {
      const related = base.relations.flatMap(({ from, to }) =>
        from === page.path ? [to] : to === page.path ? [from] : []
      );
      return [page.path, ...related].every((one) => this.sees(base, operation, one));
    }
    return (
      this.#denies(base).length === 0 &&
      this.#opening(base, operation).some(({ allow }) => allow === undefined || allow.some((rule) => rule.everyPage))
    );
  }

  /** Whether one of the operations may show what a mark or an id stands for. */
  shows(owner: Owner, operations: readonly Operation[]): boolean {
    if (owner.kind === "knowledgeBase") return this.knows(owner.base);
    return operations.some((operation) => this.#showsBy(owner, operation));
  }

  #showsBy(owner: Exclude<Owner, { kind: "knowledgeBase" }>, operation: Operation): boolean {
    const { base } = owner;
    switch (owner.kind) {
      case "page":
        return carries(operation, owner.part) && this.sees(base, operation, owner.page.path);
      case "directory":
        return this.seesDirectory(base, operation, owner.path);
      case "relation":
        return [owner.relation.from, owner.relation.to].every((path) => this.sees(base, operation, path));
      case "generated":
        return this.mayOpenGenerated(base, operation, owner.file.path);
    }
  }

  get #applying(): readonly Grant[] {
    return this.grants.filter(
      ({ subjects }) => subjects === undefined || subjects.some((pattern) => MEANS_SUBJECT.includes(pattern))
    );
  }

  #opening(base: Base, operation: Operation): readonly Grant[] {
    return this.grantsFor(base).filter(({ operations }) => operations === undefined || operations.includes(operation));
  }

  #denies(base: Base): readonly Rule[] {
    return this.grantsFor(base).flatMap(({ deny }) => deny ?? []);
  }

  #isNamed(base: Base, operation: Operation, path: string): boolean {
    return (
      !this.#denies(base).some((rule) => rule.matches(path, inAnyCase)) &&
      this.#opening(base, operation).some(({ allow }) => (allow ?? []).some((rule) => rule.names(path)))
    );
  }
}

/** The pages that a generated file is made from, whatever it says of them: its page, its directory's, or all there are. */
function sourcesOf({ pages }: Base, path: string): readonly Page[] {
  const page = pages.find((candidate) => graphPathOf(candidate.path) === path);
  if (page !== undefined) return [page];
  if (/^(_index\/|_graph\/)?(index\.md|catalog\.json)$/.test(path)) return [];
  const [, directory] = /^(?:_graph\/by-directory|_index\/pages|pages)(\/.*)?\/[^/]+$/.exec(path) ?? [];
  return pages.filter((candidate) => candidate.path.startsWith(`pages${directory ?? ""}/`));
}

/** Which parts of a page an operation tells: names and titles all do, texts not all. */
function carries(operation: Operation, part: Extract<Owner, { kind: "page" }>["part"]): boolean {
  switch (part) {
    case "content":
      return operation === "read_file" || operation === "search_files";
    case "description":
    case "tag":
    case "frontmatter":
      // A search carries them of its hits, and an expansion of the file it starts at.
      return operation !== "list_tree" && operation !== "read_related";
    default:
      return true;
  }
}
