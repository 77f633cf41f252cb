/** What of a refusal's `details` may be shown: known members with short plain values. Source: docs/invariants.md 4. */
import type { ErrorDetails } from "../errors.ts";

/** Longer waits are believed to be mistakes; nobody is locked out for more than an hour by one answer. */
const LONGEST_WAIT_SECONDS = 3600;
const MAX_ALLOWED_VALUES = 50;

const PLAIN: Readonly<Record<string, RegExp>> = {
  code: /^[A-Z][A-Z0-9_]{1,63}$/,
  // A parameter's name; keys and tokens have digits or underscores.
  field: /^[A-Za-z][A-Za-z-]{0,31}$/,
  retryHint: /^[a-z][a-z_]{0,63}$/,
  // Prose, but without the marks that addresses and keys are made of.
  retryGuidance: /^[A-Za-z][A-Za-z ,.'-]{0,199}$/
};
const ALLOWED_VALUE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Request ids are shown to callers and written to logs, so they may not be anything but an id of the upstream's form. */
const REQUEST_ID = /^req-[A-Za-z0-9-]{1,64}$/;

/** The members that may be shown; `retryAfterSeconds` is carried by the error itself. */
export function shownDetails(details: Readonly<Record<string, unknown>>): ErrorDetails {
  const shown: Record<string, unknown> = {};
  for (const [name, pattern] of Object.entries(PLAIN)) {
    const value = details[name];
    if (typeof value === "string" && pattern.test(value)) shown[name] = value;
  }
  const allowed = details.allowedValues;
  if (Array.isArray(allowed) && allowed.length <= MAX_ALLOWED_VALUES && allowed.every(isAllowedValue)) {
    shown.allowedValues = allowed;
  }
  return shown;
}

/** Whole seconds, rounded up: from `details`, else from the Retry-After header (seconds or a date, RFC 9110 10.2.3). */
export function waitOf(details: Readonly<Record<string, unknown>>, header: unknown, now: number): number | undefined {
  return seconds(details.retryAfterSeconds) ?? retryAfter(header, now);
}

export function shownRequestId(...candidates: readonly unknown[]): string | undefined {
  return candidates.find((id): id is string => typeof id === "string" && REQUEST_ID.test(id));
}

function retryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined;
  return /^\d+$/.test(header.trim()) ? seconds(Number(header)) : seconds((Date.parse(header) - now) / 1000);
}

function seconds(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return undefined;
  return Math.min(Math.ceil(value), LONGEST_WAIT_SECONDS);
}

function isAllowedValue(value: unknown): boolean {
  return typeof value === "string" && ALLOWED_VALUE.test(value);
}
