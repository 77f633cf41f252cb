/** How the table's rows of what fails are made. */
import type { ReadName } from "./reads.ts";
import { type ExpectedError, type Question, type Row, USUAL } from "./row.ts";

/** The gateway's own, whoever says so. */
export const NOT_FOUND: ExpectedError = { code: "NOT_FOUND" };
export const invalid = (field: string, details: object = {}) => ({
  code: "VALIDATION_ERROR",
  details: { field, ...details }
});

export const BY_FILE_ID = ["file", "textById", "related", "expansion"] as const;

/** Whatever fails the one read by path fails both, and the second joins the call of the first. */
const READ_TWICE = "GraphQL reads the file's detail where its content cannot be had: by path, with the same call";

type Failing = Pick<Question, "error" | "asked"> & Partial<Question>;

export function each(state: string, reads: readonly ReadName[], question: (read: ReadName) => Failing): Row[] {
  return reads.map((read) => {
    const { rows: _rows, hasMore: _hasMore, ...usual } = USUAL[read];
    const { args, ...changed } = question(read);
    const twice = read === "textByPath" && changed.error?.by === "upstream";
    return {
      read,
      state,
      ...usual,
      ...(twice ? { except: { graphql: { reads: 2, because: READ_TWICE } } } : {}),
      ...changed,
      args: { ...usual.args, ...args }
    };
  });
}

export const only = (read: ReadName, state: string, question: Failing): Row[] => each(state, [read], () => question);
