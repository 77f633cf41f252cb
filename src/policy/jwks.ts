/**
 * The signing keys that issuers publish (RFC 7517): fetched when needed, cached, and kept for a while when the issuer
 * does not answer. A set outlives reloads of the configuration.
 */
import type { KeyObject } from "node:crypto";
import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from "jose";
import { type FetchJwks, fetchJwks } from "./jwks-fetch.ts";

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

/** Finds the key for a token, in the form that jose asks for it. */
export type KeyLookup = (
  header: JWSHeaderParameters,
  token: FlattenedJWSInput
) => Promise<Awaited<ReturnType<LocalKeys>> | KeyObject>;

export interface JwksOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly fetchJwks?: FetchJwks;
  /** Told why keys could not be fetched; for the log. */
  readonly onFetchFailed?: (url: string, error: unknown) => void;
}

/** Keys are fetched again after this. */
const FRESH_MS = 10 * 60 * 1000;
/** Keys that cannot be fetched again still count until this long after they were fetched. */
const STALE_MS = 24 * 60 * 60 * 1000;
/** From one attempt to the next, whether it succeeded or not: unknown key ids cost no more than this. */
const COOL_DOWN_MS = 30 * 1000;

export class JwksCache {
  readonly #options: JwksOptions;
  readonly #sets = new Map<string, RemoteKeySet>();

  constructor(options: JwksOptions) {
    this.#options = options;
  }

  /** @param url of the key set; equal URLs share one */
  lookup(url: string): KeyLookup {
    const set = this.#sets.get(url) ?? new RemoteKeySet(url, this.#options);
    this.#sets.set(url, set);
    return (header, token) => set.find(header, token);
  }

  /** Forgets all key sets but these. */
  retain(urls: ReadonlySet<string>): void {
    for (const url of this.#sets.keys()) if (!urls.has(url)) this.#sets.delete(url);
  }
}

class RemoteKeySet {
  readonly #url: string;
  readonly #options: JwksOptions;
  #keys: LocalKeys | null = null;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<void> | null = null;

  constructor(url: string, options: JwksOptions) {
    this.#url = url;
    this.#options = options;
  }

  async find(...asked: Parameters<KeyLookup>): ReturnType<LocalKeys> {
    if (this.#age() >= FRESH_MS) await this.#refresh();
    const keys = this.#usable();
    try {
      return await keys(...asked);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have a new key; or the token's key id is made up.
      await this.#refresh();
      const now = this.#usable();
      if (now === keys) throw error;
      return await now(...asked);
    }
  }

  #age(): number {
    return this.#options.now() - this.#fetchedAt;
  }

  #usable(): LocalKeys {
    if (this.#keys === null || this.#age() >= STALE_MS) throw new errors.JWKSNoMatchingKey();
    return this.#keys;
  }

  /** Joins the attempt under way; makes none while the last one cools down. Never throws. */
  async #refresh(): Promise<void> {
    if (this.#pending === null && this.#options.now() - this.#triedAt >= COOL_DOWN_MS) {
      this.#triedAt = this.#options.now();
      this.#pending = this.#fetch().finally(() => {
        this.#pending = null;
      });
    }
    await this.#pending;
  }

  async #fetch(): Promise<void> {
    try {
      const keys: JSONWebKeySet = await (this.#options.fetchJwks ?? fetchJwks)(this.#url);
      this.#keys = createLocalJWKSet(keys);
      this.#fetchedAt = this.#options.now();
    } catch (error) {
      this.#options.onFetchFailed?.(this.#url, error);
    }
  }
}
