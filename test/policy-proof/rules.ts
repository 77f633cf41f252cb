/**
 * Path rules in two forms at once: the glob that goes into the configuration, and what it means, said plainly and without
 * reading a glob, so that the proof owes nothing to the code it judges.
 */
import fc from "fast-check";
import { parentOf } from "../harness/fake-model.ts";
import { type Base, KINDS, kindOf } from "./world.ts";

/** How paths are compared: as they are for an allow, in one case for a deny. */
type Fold = (text: string) => string;

export interface Rule {
  readonly glob: string;
  matches(path: string, fold: Fold): boolean;
  /** Whether it means this generated file by name. */
  names(path: string): boolean;
  /** Whether it matches every page there may ever be. */
  readonly everyPage?: boolean;
}

const exactly: Fold = (text) => text;
const never = () => false;

function everything(glob: string): Rule {
  const pagesOnly = glob.startsWith("pages");
  const markdownOnly = glob.endsWith(".md");
  return {
    glob,
    matches: (path, fold) =>
      (!pagesOnly || fold(path).startsWith("pages/")) && (!markdownOnly || fold(path).endsWith(".md")),
    names: never,
    everyPage: true
  };
}

function below(directory: string, tail: string): Rule {
  const markdownOnly = tail.endsWith(".md");
  return {
    glob: `${directory}/${tail}`,
    matches: (path, fold) =>
      fold(path).startsWith(`${fold(directory)}/`) && (!markdownOnly || fold(path).endsWith(".md")),
    names: never
  };
}

function directlyIn(directory: string): Rule {
  return {
    glob: `${directory}/*`,
    matches: (path, fold) => fold(parentOf(path)) === fold(directory),
    names: never
  };
}

/** Below a directory of a kind: at the top of the pages only, or anywhere. */
function belowKinds(kinds: readonly string[], anywhere: boolean): Rule {
  const alternatives = kinds.map((kind) => `${kind}-*`);
  const written = alternatives.length === 1 ? alternatives[0] : `{${alternatives.join(",")}}`;
  return {
    glob: `${anywhere ? "**" : "pages"}/${written}/**`,
    matches: (path, fold) => {
      const segments = fold(path).split("/").slice(0, -1);
      const candidates = anywhere ? segments : segments[0] === "pages" ? segments.slice(1, 2) : [];
      return candidates.some((segment) => kinds.some((kind) => segment.startsWith(`${fold(kind)}-`)));
    },
    names: never
  };
}

function onePage(path: string, decomposed: boolean): Rule {
  return {
    glob: decomposed ? path.normalize("NFD") : path,
    matches: (other, fold) => fold(other) === fold(path),
    names: never
  };
}

/** A page by a piece of its name that no other name has. */
function pageLike(path: string): Rule {
  const piece = path.slice(path.lastIndexOf("mk"), -".md".length);
  return {
    glob: `**/*${piece}*`,
    matches: (other, fold) => fold(other.slice(other.lastIndexOf("/") + 1)).includes(fold(piece)),
    names: never
  };
}

function generatedFile(name: string): Rule {
  const matches: Rule["matches"] = (path, fold) => fold(path) === fold(name);
  return { glob: name, matches, names: (path) => matches(path, exactly) };
}

function generatedBelow(directory: string): Rule {
  const matches: Rule["matches"] = (path, fold) => fold(path).startsWith(`${fold(directory)}/`);
  return { glob: `${directory}/**`, matches, names: (path) => matches(path, exactly) };
}

function navigation(glob: "**/index.md" | "pages/**/index*"): Rule {
  const matches: Rule["matches"] = (path, fold) => {
    const name = fold(path.slice(path.lastIndexOf("/") + 1));
    return glob === "**/index.md" ? name === "index.md" : fold(path).startsWith("pages/") && name.startsWith("index");
  };
  return { glob, matches, names: (path) => matches(path, exactly) };
}

const GENERATED: readonly Rule[] = [
  generatedFile("index.md"),
  generatedFile("log.md"),
  generatedBelow("_graph"),
  generatedBelow("_index"),
  generatedBelow("_graph/by-file"),
  navigation("**/index.md"),
  navigation("pages/**/index*")
];

export const generatedRule: fc.Arbitrary<Rule> = fc.constantFrom(...GENERATED);

export const everyPage: fc.Arbitrary<Rule> = fc
  .constantFrom("**", "pages/**", "**/*.md", "pages/**/*.md")
  .map(everything);

/** A rule that some of the pages, of any of the knowledge bases, come under. */
export function ruleOver(bases: readonly Base[]): fc.Arbitrary<Rule> {
  const pages = bases.flatMap((base) => base.pages.map(({ path }) => path));
  const directories = ["pages", ...bases.flatMap((base) => [...base.directories.keys()])];
  const page = fc.constantFrom(...pages);
  const directory = fc.constantFrom(...directories);
  // Kinds with brackets would need escapes in a wildcard.
  const kinds = [...new Set(directories.slice(1).map(kindOf))].filter((kind) => !/[()[\]]/.test(kind));
  const kind = fc.constantFrom(...(kinds.length === 0 ? KINDS.slice(0, 3) : kinds));
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(directory, fc.constantFrom("**", "**/*.md", "**/*")).map((args) => below(...args))
    },
    { weight: 1, arbitrary: directory.map(directlyIn) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.uniqueArray(kind, { minLength: 1, maxLength: 2 }), fc.boolean())
        .map((args) => belowKinds(...args))
    },
    { weight: 2, arbitrary: fc.tuple(page, fc.boolean()).map((args) => onePage(...args)) },
    { weight: 1, arbitrary: page.map(pageLike) }
  );
}
