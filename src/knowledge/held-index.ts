/**
 * Where each file of one upstream is held, found by its names and by its directory, each at the cost of what is found.
 *
 * A file's names are its ids and, from {@link pathName}, its path.
 */
import { pathName } from "./held.ts";

export class HeldIndex {
  /** Keys of answers, by knowledge base and file name. */
  readonly #answers: Values = new Map();
  /** Path names of held files, by knowledge base and directory. */
  readonly #paths: Values = new Map();

  add(knowledgeBaseId: string, names: readonly string[], answer: string): void {
    for (const name of names) {
      put(this.#answers, `${knowledgeBaseId} ${name}`, answer);
      if (isPathName(name)) put(this.#paths, directoryKey(knowledgeBaseId, name), name);
    }
  }

  remove(knowledgeBaseId: string, names: readonly string[], answer: string): void {
    for (const name of names) {
      const emptied = drop(this.#answers, `${knowledgeBaseId} ${name}`, answer);
      if (emptied && isPathName(name)) drop(this.#paths, directoryKey(knowledgeBaseId, name), name);
    }
  }

  /** Keys of the answers that hold text of the file. */
  answers(knowledgeBaseId: string, name: string): string[] {
    return valuesOf(this.#answers, `${knowledgeBaseId} ${name}`);
  }

  /**
   * Paths of the held files directly in a directory.
   * @param directory its path; "" is the root
   */
  pathsIn(knowledgeBaseId: string, directory: string): string[] {
    const key = `${knowledgeBaseId} ${directory === "" ? "" : pathName(directory)}`;
    return valuesOf(this.#paths, key).map((name) => name.slice(pathName("").length));
  }
}

function isPathName(name: string): boolean {
  return name.startsWith(pathName(""));
}

function directoryKey(knowledgeBaseId: string, name: string): string {
  return `${knowledgeBaseId} ${name.slice(0, name.lastIndexOf("/"))}`;
}

/** Mostly one value to a key, which is kept bare: a set for each would weigh as much as the answer that it leads to. */
type Values = Map<string, string | Set<string>>;

function put(values: Values, key: string, value: string): void {
  const known = values.get(key);
  if (known === undefined) values.set(key, value);
  else if (typeof known !== "string") known.add(value);
  else if (known !== value) values.set(key, new Set([known, value]));
}

/** Whether nothing is left under the key. */
function drop(values: Values, key: string, value: string): boolean {
  const known = values.get(key);
  const emptied = typeof known === "object" ? known.delete(value) && known.size === 0 : known === value;
  if (emptied) values.delete(key);
  return emptied;
}

function valuesOf(values: Values, key: string): string[] {
  const known = values.get(key);
  return typeof known === "string" ? [known] : [...(known ?? [])];
}
