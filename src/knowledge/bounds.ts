/** Numbers of a question that are bounded whatever is read: refused before the upstream is asked. docs/invariants.md 8. */
import { invalid } from "../errors.ts";

export interface Bound {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
  /** What leaving it out means; undefined where that is no number. */
  readonly byDefault?: number;
}

const STEPS = { least: 0, most: 2, whole: true, byDefault: 1 } as const;
const RELATIONS = { least: 0, most: 25, whole: true, byDefault: 10 } as const;

export const BOUNDS = {
  depth: STEPS,
  fanout: RELATIONS,
  graphDepth: STEPS,
  graphFanout: RELATIONS,
  rerankTopK: { least: 1, most: 50, whole: true },
  rerankScoreThreshold: { least: 0, most: 1, whole: false }
} as const satisfies Readonly<Record<string, Bound>>;

type Bounded = Partial<Readonly<Record<keyof typeof BOUNDS, number | undefined>>>;

/** @throws VALIDATION_ERROR (`details {field, limit}`) for the first that is out of its bounds */
export function checkBounds(args: Bounded): void {
  for (const [name, bound] of Object.entries<Bound>(BOUNDS)) {
    const value = args[name as keyof typeof BOUNDS];
    if (value !== undefined && !isWithin(value, bound)) throw refusal(name, bound);
  }
}

function isWithin(value: number, { least, most, whole }: Bound): boolean {
  return value >= least && value <= most && (!whole || Number.isInteger(value));
}

function refusal(name: string, { least, most, whole, byDefault }: Bound) {
  const expected = `${name} must be a ${whole ? "whole " : ""}number from ${least} to ${most}.`;
  const wayOut = byDefault === undefined ? "Leave it out if in doubt." : `Left out, it is ${byDefault}.`;
  return invalid(name, `${expected} ${wayOut}`, { limit: most });
}
