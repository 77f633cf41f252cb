/**
 * Words for the full-text index. A word of a script that is written with spaces is one term, folded and stemmed; a run
 * of a script written without them (Chinese, Japanese, Thai and others) is cut into pairs of characters, so that any part of it can be found.
 */
import { stemmer } from "stemmer";
import { STOP_WORDS } from "./stop-words.ts";

export interface Token {
  readonly term: string;
  /** Where the token stands in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`;
const PARTS = new RegExp(
  String.raw`[${UNSPACED}]+|\p{Extended_Pictographic}|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`,
  "gu"
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const LATIN = /^[a-z]+$/;

/** The tokens of a text, in order. */
export function* tokensOf(text: string): Generator<Token> {
  for (const match of text.matchAll(PARTS)) {
    const [part] = match;
    if (IS_UNSPACED.test(part)) yield* pairs(part, match.index);
    else {
      const term = fold(part);
      // Marks without a letter to stand on fold to nothing.
      if (term !== "") yield { term, start: match.index, end: match.index + part.length };
    }
  }
}

/** The index terms of a text. */
export function termsOf(text: string): string[] {
  return Array.from(tokensOf(text), ({ term }) => term);
}

/** What to look for: the terms of a question without its everyday words, or with them where there is nothing else. */
export function queryTerms(query: string): string[] {
  const telling: string[] = [];
  const all: string[] = [];
  for (const { term, start, end } of tokensOf(query)) {
    all.push(term);
    if (!STOP_WORDS.has(query.slice(start, end).toLowerCase())) telling.push(term);
  }
  return [...new Set(telling.length > 0 ? telling : all)];
}

/** Whether longer terms that begin with this one are meant as well: `deploy` and what is cut from one character. */
export function matchesPrefixes(term: string): boolean {
  return IS_UNSPACED.test(term) ? [...term].length === 1 : term.length >= 4;
}

function* pairs(run: string, offset: number): Generator<Token> {
  const characters = Array.from(run.matchAll(/./gsu), ({ 0: character, index }) => ({ character, index }));
  if (characters.length === 1) {
    yield { term: run, start: offset, end: offset + run.length };
    return;
  }
  for (const [position, { character, index }] of characters.entries()) {
    const next = characters[position + 1];
    if (next === undefined) return;
    const end = next.index + next.character.length;
    yield { term: character + next.character, start: offset + index, end: offset + end };
  }
}

function fold(word: string): string {
  const folded = word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return LATIN.test(folded) ? stemmer(folded) : folded;
}
