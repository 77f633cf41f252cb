/**
 * Where each file of one upstream is held, found by its names and by its directory, each at the cost of what is found.
 *
 * A file's names are its ids and, from {@link pathName}, its path.
 */
import { pathName } from "./held.ts";

export class HeldIndex {
  /** Keys of answers, by knowledge base and file name. */
  readonly #answers = new Map<string, Set<string>>();
  /** Path names of held files, by knowledge base and directory. */
  readonly #paths = new Map<string, Set<string>>();

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
    return [...(this.#answers.get(`${knowledgeBaseId} ${name}`) ?? [])];
  }

  /**
   * Paths of the held files directly in a directory.
   * @param directory its path; "" is the root
   */
  pathsIn(knowledgeBaseId: string, directory: string): string[] {
    const key = `${knowledgeBaseId} ${directory === "" ? "" : pathName(directory)}`;
    return Array.from(this.#paths.get(key) ?? [], (name) => name.slice(pathName("").length));
  }
}

function isPathName(name: string): boolean {
  return name.startsWith(pathName(""));
}

function directoryKey(knowledgeBaseId: string, name: string): string {
  return `${knowledgeBaseId} ${name.slice(0, name.lastIndexOf("/"))}`;
}

function put(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

/** Whether nothing is left under the key. */
function drop(sets: Map<string, Set<string>>, key: string, value: string): boolean {
  const set = sets.get(key);
  set?.delete(value);
  if (set === undefined || set.size > 0) return false;
  sets.delete(key);
  return true;
}
