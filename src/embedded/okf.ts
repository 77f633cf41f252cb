/**
 * The signals of trust and freshness that a page's frontmatter carries. Source: Open Knowledge Format 0.2: `status`,
 * `generated`, `verified`, `stale_after`, `sources`; `timestamp` is what version 0.1 had in place of `generated.at`.
 */
import type { OkfSignals } from "../upstream/contract.ts";
import { type Frontmatter, textValue } from "./frontmatter.ts";

export const OKF_STATUSES = ["draft", "stable", "deprecated"] as const;
export const OKF_TRUST_TIERS = ["unverified", "machine-confirmed", "human-reviewed"] as const;
export const OKF_FRESHNESS = ["fresh", "stale"] as const;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** @param today the date that freshness is judged on, `YYYY-MM-DD` in UTC */
export function okfSignals(frontmatter: Frontmatter, today: string): OkfSignals {
  const verified = events(frontmatter.verified);
  const staleAfter = dateOnly(frontmatter.stale_after);
  const generatedAt = events(frontmatter.generated)[0]?.at ?? null;
  const timestamp = dateTime(frontmatter.timestamp);
  return {
    effectiveStatus: status(frontmatter.status),
    trustTier: trustTier(verified),
    isStale: staleAfter === null ? null : today > staleAfter,
    staleAfter,
    generatedAt: generatedAt ?? timestamp,
    generatedAtSource: generatedAt !== null ? "generated" : timestamp !== null ? "legacy_timestamp" : null,
    latestVerifiedAt:
      verified
        .flatMap(({ at }) => at ?? [])
        .sort()
        .at(-1) ?? null,
    sourceCount: sourceCount(frontmatter.sources)
  };
}

/** A page that says nothing is stable; one that says something unknown has no status. */
function status(value: unknown): string | null {
  if (value === undefined || value === null) return "stable";
  return OKF_STATUSES.find((known) => known === value) ?? null;
}

function trustTier(verified: readonly Event[]): string {
  if (verified.length === 0) return "unverified";
  return verified.some(({ by }) => by.startsWith("human:")) ? "human-reviewed" : "machine-confirmed";
}

interface Event {
  readonly by: string;
  readonly at: string | null;
}

/** `{by, at}` entries, one or a list; those without an actor say nothing. */
function events(value: unknown): Event[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((entry) => {
    if (typeof entry !== "object" || entry === null) return [];
    const by = textValue("by" in entry ? entry.by : null);
    return by === null ? [] : [{ by, at: dateTime("at" in entry ? entry.at : null) }];
  });
}

/** Sources are counted where each has the id that a text can cite; else their number is not known. */
function sourceCount(value: unknown): number | null {
  if (value === undefined || value === null) return 0;
  if (!Array.isArray(value)) return null;
  const citable = value.every((entry) => typeof entry === "object" && entry !== null && textValue(entry.id) !== null);
  return citable ? value.length : null;
}

function dateTime(value: unknown): string | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function dateOnly(value: unknown): string | null {
  if (typeof value !== "string" || !DATE.test(value)) return null;
  return Number.isNaN(Date.parse(value)) ? null : value;
}
