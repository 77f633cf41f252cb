/**
 * Query parameters as the Developer OpenAPI reads them: of a repeated one the first counts, an empty one is absent, and
 * numbers are what JavaScript takes for one (`1e1`, `0x10`, ` 2`).
 */
import { invalidLimit } from "./refusals.ts";

export class Parameters {
  private readonly query: URLSearchParams;

  constructor(query: URLSearchParams) {
    this.query = query;
  }

  /** The first value as written; null where the parameter is absent. */
  raw(name: string): string | null {
    return this.query.get(name);
  }

  /** The first value; null where it is absent or empty. */
  text(name: string): string | null {
    return this.query.get(name) || null;
  }

  /** A whole number in a range; `fallback` where absent, null where it is anything else. */
  integer(name: string, fallback: number, min: number, max: number): number | null {
    const value = this.number(name, fallback, min, max);
    return Number.isInteger(value) ? value : null;
  }

  number(name: string, fallback: number, min: number, max: number): number | null {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = Number(text);
    return value >= min && value <= max ? value : null;
  }

  /** One of a closed set; null where absent, undefined where it is anything else. */
  oneOf<T extends string>(name: string, values: readonly T[]): T | null | undefined {
    const text = this.text(name);
    return text === null ? null : values.find((value) => value === text);
  }

  /** @throws GatewayError VALIDATION_ERROR outside 1 to `max` */
  limit(fallback: number, max: number): number {
    const value = this.integer("limit", Math.min(fallback, max), 1, max);
    if (value === null) throw invalidLimit(max);
    return value;
  }
}
