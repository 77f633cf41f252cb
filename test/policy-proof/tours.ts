/** Requests that go through several reads at once, or that only one surface has. */
import fc from "fast-check";
import type { TestAnswer, TestGateway } from "../harness/gateway.ts";
import type { Caller, Operation } from "./caller.ts";
import { pick } from "./cases.ts";
import { expectedOf } from "./expected.ts";
import {
  ENTITIES,
  FEDERATED_SEARCH,
  KNOWLEDGE_BASES,
  NESTED_FILE,
  NESTED_SEARCH,
  NESTED_TREE,
  NODES
} from "./graphql-questions.ts";
import { mark } from "./marks.ts";
import { ANY } from "./scan.ts";
import { rpc } from "./surfaces.ts";
import type { Base, World } from "./world.ts";

export interface Leg {
  readonly answer: TestAnswer;
  /** What may have shown what is in the answer. */
  readonly operations: readonly Operation[];
}

export interface Trip {
  readonly legs: readonly Leg[];
  /** Marks that must be in some answer. */
  readonly present: readonly string[];
  readonly visibleRows: number;
  readonly hiddenRows: number;
}

export interface Traveller {
  readonly gateway: TestGateway;
  readonly token: string;
  readonly caller: Caller;
  readonly world: World;
  readonly base: Base;
  /** Numbers to choose by. */
  readonly choice: number;
}

type Tour = (traveller: Traveller) => Promise<Trip>;

/** A file, a directory and a knowledge base as node ids, of every kind of standing. */
function nodeIdsOf({ world, base, choice }: Traveller): string[] {
  const other = pick(world.bases, choice);
  const pages = [pick(base.pages, choice), pick(base.pages, choice + 1), pick(other.pages, choice)];
  const directories = [...base.directories.keys(), "pages", "_graph"];
  return [
    ...pages.map((page, index) => ["File", base.slug, (index < 2 ? base : other).model.fileId(page.path)]),
    ["File", other.slug, other.model.fileId(pick(other.pages, choice).path)],
    ...[choice, choice + 1].map((index) => ["Directory", base.slug, pick(directories, index)]),
    ["KnowledgeBase", other.id]
  ].map((parts) => Buffer.from(JSON.stringify(parts)).toString("base64url"));
}

async function ask(traveller: Traveller, query: string, variables: Record<string, unknown> = {}): Promise<Leg[]> {
  const { gateway, token, base } = traveller;
  const answer = await gateway.graphql(query, { key: base.slug, ...variables }, { token });
  return [{ answer, operations: ANY }];
}

function tripOf(
  legs: readonly Leg[],
  rows: Pick<Trip, "visibleRows" | "hiddenRows"> & { present?: readonly string[] }
): Trip {
  return { present: [], ...rows, legs };
}

/** What there is to show and to hide of a knowledge base, for one operation. */
function rowsOf({ caller, base }: Traveller, operation: Operation) {
  const visibleRows = caller.visible(base, operation).length;
  return { visibleRows, hiddenRows: base.pages.length - visibleRows };
}

export const TOURS = {
  nestedTree: async (traveller) => {
    const parentPath = pick(["", "pages", ...traveller.base.directories.keys()], traveller.choice);
    return tripOf(await ask(traveller, NESTED_TREE, { parentPath }), rowsOf(traveller, "list_tree"));
  },
  nestedFile: async (traveller) => {
    const { base, choice, caller } = traveller;
    const seen = caller.visible(base, "read_related");
    const page = pick(seen.length > 0 ? seen : base.pages, choice);
    const by = choice % 2 === 0 ? { fileId: base.model.fileId(page.path) } : { path: page.path };
    const { visibleRows, hiddenRows } = expectedOf(caller, base, "read_related", { kind: "page", page }, { depth: 1 });
    return tripOf(await ask(traveller, NESTED_FILE, { by }), { visibleRows, hiddenRows });
  },
  nestedSearch: async (traveller) => {
    const fileKind = traveller.choice % 2 === 0 ? "ALL" : "PAGE";
    return tripOf(
      await ask(traveller, NESTED_SEARCH, { query: "shared", fileKind }),
      rowsOf(traveller, "search_files")
    );
  },
  nodes: async (traveller) => {
    const ids = nodeIdsOf(traveller);
    const types = ids.map((id) => JSON.parse(Buffer.from(id, "base64url").toString("utf8"))[0] as string);
    const entities = ids.map((id, index) => ({ __typename: types[index], id }));
    const representations = entities.filter(({ __typename }) => __typename !== "Directory");
    const legs = [...(await ask(traveller, NODES, { ids })), ...(await ask(traveller, ENTITIES, { representations }))];
    return tripOf(legs, rowsOf(traveller, "get_file"));
  },
  knowledgeBases: async (traveller) => {
    const { gateway, token, caller, world } = traveller;
    const known = world.bases.filter((base) => caller.knows(base));
    const listed = await gateway.get("/openapi/v2/knowledge-bases", { token });
    const tool = await rpc(gateway, token, "/mcp", "tools/call", { name: "list_knowledge_bases", arguments: {} });
    const legs = [
      ...(await ask(traveller, KNOWLEDGE_BASES)),
      { answer: listed, operations: [] },
      { answer: tool, operations: [] }
    ];
    return tripOf(legs, {
      present: known.map(({ number }) => mark("knowledgeBase", number)),
      visibleRows: known.length,
      hiddenRows: world.bases.length - known.length
    });
  },
  overview: async (traveller) => {
    const { gateway, token, base } = traveller;
    const mirrored = await gateway.get(`/openapi/v2/knowledge-bases/${base.id}/graph/overview`, { token });
    const own = await gateway.get(`/agent/${base.slug}/graph/overview`, { token });
    return tripOf(
      [mirrored, own].map((answer) => ({ answer, operations: ["expand_graph"] })),
      rowsOf(traveller, "expand_graph")
    );
  },
  resources: async (traveller) => {
    const { caller, world, base, choice } = traveller;
    const bound = choice % 2 === 0;
    const legs = await listResources(traveller, bound ? `/mcp/${base.slug}` : "/mcp");
    const bases = (bound ? [base] : world.bases).filter((one) => caller.may(one, "list_tree"));
    const visible = bases.flatMap((one) => caller.visible(one, "list_tree"));
    return tripOf(legs, {
      present: visible.map(({ number }) => mark("name", number)),
      visibleRows: visible.length,
      hiddenRows: bases.flatMap(({ pages }) => pages).length - visible.length
    });
  },
  readResource: async (traveller) => {
    const { gateway, token, caller, base, choice } = traveller;
    const page = pick(base.pages, choice);
    const uri = `focowiki://${base.slug}/${page.path.split("/").map(encodeURIComponent).join("/")}`;
    const answer = await rpc(gateway, token, "/mcp", "resources/read", { uri });
    const present = caller.sees(base, "read_file", page.path) ? [mark("content", page.number)] : [];
    return tripOf([{ answer, operations: ["read_file"] }], { present, visibleRows: present.length, hiddenRows: 0 });
  },
  links: async (traveller) => {
    const { gateway, token, base } = traveller;
    const start = `/openapi/v2/knowledge-bases/${base.id}/files/search?query=shared&fileKind=all&limit=5`;
    const first = await gateway.get(start, { token });
    const links = [...new Set(first.text.match(/\/openapi\/v2\/[^"\\]+/g) ?? [])].slice(0, 12);
    const legs = await Promise.all(links.map((link) => follow(traveller, link)));
    return tripOf([{ answer: first, operations: ["search_files"] }, ...legs], rowsOf(traveller, "search_files"));
  },
  federatedSearch: async (traveller) => {
    const { gateway, token, caller, world, choice } = traveller;
    const searched = world.bases.filter((base) => caller.may(base, "search_files"));
    const visible = searched.flatMap((base) => caller.visible(base, "search_files"));
    const args = { query: "shared", limit: 50, fileKind: choice % 2 === 0 ? "all" : "page", graphDepth: 2 };
    const search = new URLSearchParams(Object.entries(args).map(([name, value]) => [name, String(value)]));
    const answers = [
      await gateway.get(`/agent/search?${search}${choice % 3 === 0 ? "&view=compact" : ""}`, { token }),
      await rpc(gateway, token, "/mcp", "tools/call", { name: "search_files", arguments: args })
    ];
    const legs = answers.map((answer): Leg => ({ answer, operations: ["search_files"] }));
    const own = choice % 2 === 0 ? [] : await ask(traveller, FEDERATED_SEARCH, { query: "shared" });
    return tripOf([...legs, ...own], {
      present: args.fileKind === "page" ? visible.map(({ number }) => mark("name", number)) : [],
      visibleRows: visible.length,
      hiddenRows: searched.flatMap(({ pages }) => pages).length - visible.length
    });
  },
  offers: async (traveller) => {
    const { gateway, token, base } = traveller;
    const methods = ["tools/list", "prompts/list", "resources/templates/list"];
    const offers = await Promise.all(methods.map((method) => rpc(gateway, token, `/mcp/${base.slug}`, method)));
    const prompt = { name: "explore_knowledge", arguments: { question: "shared" } };
    const answers = [
      ...offers,
      await rpc(gateway, token, "/mcp", "prompts/get", prompt),
      await gateway.get(`/agent/${base.slug}/tools`, { token }),
      await gateway.get(`/agent/${base.id}/skill.zip`, { token })
    ];
    return tripOf(
      answers.map((answer) => ({ answer, operations: [] })),
      { visibleRows: 0, hiddenRows: 0 }
    );
  }
} as const satisfies Record<string, Tour>;

export type TourName = keyof typeof TOURS;

/** Those that show and hide in one answer come more often. */
export const tourNames: fc.Arbitrary<TourName> = fc.constantFrom<TourName>(
  ...(["nestedTree", "nestedFile", "nestedSearch", "nodes", "resources", "links"] as const),
  ...(["nestedTree", "nestedFile", "nestedSearch", "federatedSearch", "federatedSearch"] as const),
  ...(["resources", "readResource", "knowledgeBases", "overview"] as const),
  "offers"
);

async function listResources({ gateway, token }: Traveller, path: string): Promise<Leg[]> {
  const legs: Leg[] = [];
  let cursor: string | undefined;
  do {
    const answer = await rpc(gateway, token, path, "resources/list", { cursor });
    legs.push({ answer, operations: ["list_tree"] });
    cursor = answer.body.result?.nextCursor;
  } while (cursor !== undefined && legs.length < 50);
  return legs;
}

const LINKS: readonly (readonly [RegExp, Operation])[] = [
  [/\/related$/, "read_related"],
  [/\/graph\/expand\?/, "expand_graph"],
  [/\/content(\?|$)/, "read_file"],
  [/\/files\/[^/]+$/, "get_file"]
];

/** A link that an answer offers can be followed; a generated file has no relations, and says so. */
async function follow({ gateway, token }: Traveller, link: string): Promise<Leg> {
  const [, operation] = LINKS.find(([pattern]) => pattern.test(link)) ?? [];
  if (operation === undefined) throw new Error(`an unknown link: ${link}`);
  const answer = await gateway.get(JSON.parse(`"${link}"`), { token });
  if (answer.status !== 200) throw new Error(`${link} was offered, and is ${answer.text}`);
  return { answer, operations: [operation] };
}
