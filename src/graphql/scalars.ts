/** Scalars beyond GraphQL's own. Counts and revisions can pass 2^31, so they are 53-bit. */
import { DateTimeResolver, JSONResolver, SafeIntResolver } from "graphql-scalars";
import { builder } from "./builder.ts";

builder.addScalarType("DateTime", DateTimeResolver, {
  description: "A point in time as RFC 3339 writes it, in UTC: 2027-03-01T09:30:00.000Z."
});
builder.addScalarType("JSON", JSONResolver, {
  description: "Any JSON value, as the knowledge service sent it. For what has no fixed shape, such as frontmatter."
});
builder.addScalarType("SafeInt", SafeIntResolver, {
  description: "A whole number that every JSON reader keeps exact: up to 2^53 - 1 either way."
});
