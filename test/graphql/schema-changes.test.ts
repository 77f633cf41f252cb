/** The schema keeps what it has promised: nothing that clients of the last release rely on may break. */
import { readFile } from "node:fs/promises";
import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../src/graphql/schema.ts";
import { breakingChanges } from "./schema-changes.ts";

const BEFORE = `
  type Query { file(id: ID!, kind: Kind): File  files: [File!]!  maybe: [File] }
  type File implements Node { id: ID!  title: String  size: Int!  tags: [String!]  old: String @deprecated(reason: "Use title.") }
  interface Node { id: ID! }
  enum Kind { PAGE INDEX }
  input Filter { kind: Kind }
`;

const broken = (change: (sdl: string) => string) => breakingChanges(buildSchema(BEFORE), buildSchema(change(BEFORE)));

describe("a breaking change", () => {
  it.each([
    ["a field that is gone", "title: String ", " "],
    ["a deprecated field that is gone", 'old: String @deprecated(reason: "Use title.")', ""],
    ["a field of another type", "title: String", "title: Int"],
    ["an output that may be null now", "size: Int!", "size: Int"],
    ["items that may be null now", "files: [File!]!", "files: [File]!"],
    ["an output that cannot be null any more", "title: String ", "title: String! "],
    ["items that cannot be null any more", "maybe: [File]", "maybe: [File!]"],
    ["an argument that is gone", ", kind: Kind)", ")"],
    ["an argument that is needed now", "kind: Kind)", "kind: Kind!)"],
    ["a new argument that is needed", "kind: Kind)", "kind: Kind, of: Int!)"],
    ["a value that is gone", "PAGE INDEX", "PAGE"],
    ["an interface that is gone", "File implements Node", "File"],
    ["an input that is needed now", "input Filter { kind: Kind }", "input Filter { kind: Kind! }"]
  ])("is %s", async (_, from, to) => {
    expect(BEFORE).toContain(from);
    expect(await broken((sdl) => sdl.replace(from, to))).toHaveLength(1);
  });

  it.each([
    ["a new field", "title: String ", "title: String  author: String! "],
    ["a new argument", "kind: Kind)", "kind: Kind, of: Int)"],
    ["a new value, for which clients have a default branch", "PAGE INDEX", "PAGE INDEX LOG"],
    ["a deprecation", "title: String ", 'title: String @deprecated(reason: "Use name.") '],
    ["an argument that is no longer needed", "file(id: ID!", "file(id: ID"],
    ["a description", "type File", '"A file." type File']
  ])("is not %s", async (_, from, to) => {
    expect(BEFORE).toContain(from);
    expect(await broken((sdl) => sdl.replace(from, to))).toEqual([]);
  });
});

describe("the schema", () => {
  it("breaks nothing of the last release's", async () => {
    const released = buildSchema(await readFile("schema/released.graphql", "utf8"));
    expect(await breakingChanges(released, schema)).toEqual([]);
  });

  it("says of whatever is deprecated what to use instead", () => {
    const reasons = Object.values(schema.getTypeMap()).flatMap((type) =>
      "getFields" in type ? Object.values(type.getFields()).map(({ deprecationReason }) => deprecationReason) : []
    );
    for (const reason of reasons) if (reason != null) expect(reason).toMatch(/^Use .+\. Leaves in \d+\.0\.0\.$/);
  });
});
