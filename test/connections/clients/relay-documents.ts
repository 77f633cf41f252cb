/** The documents of a Relay front end, one list a fragment, compiled by relay-compiler against the published schema. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ConcreteRequest, ReaderFragment } from "relay-runtime";

/** Each list: the type it begins at, where a query finds that, and the list with what is asked of a node. */
const LISTS = {
  tree: {
    on: "KnowledgeBase",
    at: "knowledgeBase(key: $key) { FRAGMENT }",
    list: "tree(parentPath: $directory, first: $first, after: $after)",
    node: "path"
  },
  children: {
    on: "Directory",
    at: 'node(id: $id) { FRAGMENT @alias(as: "node") }',
    list: "children(first: $first, after: $after)",
    node: "path"
  },
  search: {
    on: "KnowledgeBase",
    at: "knowledgeBase(key: $key) { FRAGMENT }",
    list: "search(query: $query, first: $first, after: $after)",
    node: "file { path }"
  },
  related: {
    on: "File",
    at: "knowledgeBase(key: $key) { file(by: { path: $path }) { FRAGMENT } }",
    list: "related(first: $first, after: $after)",
    node: "relationType direction file { path }"
  },
  expand: {
    on: "File",
    at: "knowledgeBase(key: $key) { file(by: { path: $path }) { FRAGMENT } }",
    list: "expand(depth: 2, first: $first, after: $after)",
    node: "relationType direction from { path } file { path }"
  },
  knowledgeBases: {
    on: "Query",
    at: "FRAGMENT",
    list: "knowledgeBases(first: $first, after: $after)",
    node: "key"
  }
} as const;

export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

const VARIABLES: Readonly<Record<string, string>> = {
  key: "String!",
  id: "ID!",
  directory: "String",
  query: "String!",
  path: "String!",
  first: "Int!",
  after: "String"
};

/** What relay-compiler made of one list. */
export interface Artifacts {
  readonly query: ConcreteRequest;
  readonly fragment: ReaderFragment;
}

/** @throws Error with the compiler's own words where it refuses the schema or a document */
export async function compile(): Promise<Readonly<Record<ListName, Artifacts>>> {
  const folder = await mkdtemp(join(tmpdir(), "relay-"));
  try {
    const config = { src: "./src", schema: "./schema.graphql", artifactDirectory: "./artifacts" };
    await Promise.all([mkdir(join(folder, "src")), mkdir(join(folder, "artifacts"))]);
    await Promise.all([
      writeFile(join(folder, "src", "List.js"), LIST_NAMES.map(documentsOf).join("\n")),
      writeFile(
        join(folder, "relay.config.json"),
        JSON.stringify({ ...config, language: "javascript", eagerEsModules: false })
      ),
      copyFile(
        fileURLToPath(new URL("../../../schema/schema.graphql", import.meta.url)),
        join(folder, "schema.graphql")
      )
    ]);
    const binary = createRequire(import.meta.url)("relay-compiler") as string;
    await promisify(execFile)(binary, ["relay.config.json"], { cwd: folder });
    const load = createRequire(join(folder, "artifacts", "load.js"));
    const artifacts = LIST_NAMES.map((name) => [
      name,
      { query: load(`./List_${name}_Query.graphql`), fragment: load(`./List_${name}.graphql`) }
    ]);
    return Object.fromEntries(artifacts) as Record<ListName, Artifacts>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function documentsOf(name: ListName): string {
  const { on, at, list, node } = LISTS[name];
  const variables = Object.entries(VARIABLES).filter(([variable]) => `${at} ${list}`.includes(`$${variable}`));
  return `
    graphql\`query List_${name}_Query(${variables.map(([variable, type]) => `$${variable}: ${type}`).join(", ")}) {
      ${at.replace("FRAGMENT", `...List_${name}`)}
    }\`;
    graphql\`fragment List_${name} on ${on} @refetchable(queryName: "List_${name}_PaginationQuery") {
      ${list} @connection(key: "List_${name}") { edges { node { ${node} } } }
    }\`;`;
}
