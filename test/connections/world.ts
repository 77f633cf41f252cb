/** A gateway over a fake upstream whose four lists each hold the same notes, and what each of them holds. */
import {
  type FakeKnowledgeBase,
  type FakeOptions,
  type FakeRequest,
  type FakeUpstream,
  fakeUpstream
} from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../harness/gateway.ts";
import type { Arguments, List, Question } from "./surfaces.ts";

export const OPERATION = {
  tree: "listKnowledgeBaseTree",
  search: "searchGeneratedFiles",
  related: "listRelatedFiles",
  expand: "expandGraph"
} as const satisfies Record<List, string>;

const SEED = "pages/seed.md";

/** The path of a note; its number has two digits or more. */
export function note(index: number): string {
  return `pages/notes/note-${String(index).padStart(2, "0")}.md`;
}

/** So many notes, each of which a search for `caches` finds and a seed is related to. */
export function shelf(notes: number, id?: string): FakeKnowledgeBase {
  const paths = Array.from({ length: notes }, (_, index) => note(index));
  return {
    ...(id === undefined ? {} : { id }),
    revision: 41,
    pages: [
      { path: SEED, content: "# Seed\n" },
      ...paths.map((path) => ({ path, content: `# ${path}\n\nAbout caches.\n` }))
    ],
    relations: paths.map((to) => ({ from: SEED, to }))
  };
}

export interface Side extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly fake: FakeUpstream;
  /** A list of the first knowledge base. */
  question(list: List, page?: Partial<Question>): Question;
  /** The list as the upstream gives it, whole. Leaves the upstream's count of requests at zero. */
  whole(list: List): Promise<string[]>;
  /** The pages of the list that the upstream was asked for. */
  asked(list: List): readonly FakeRequest[];
}

export interface SideOptions extends FakeOptions {
  readonly gateway?: Partial<TestGatewayOptions>;
}

/** Without a cache of the gateway's own, so that what is counted is what was needed. */
export async function side({ gateway: settings = {}, ...options }: SideOptions): Promise<Side> {
  const fake = await fakeUpstream(options);
  const { config, ...others } = settings;
  const gateway = await startGateway({
    upstreams: { main: fake },
    upstreamSettings: { rateLimit: { requests: 1_000_000 } },
    ...others,
    config: { cache: { maxBytes: 0 }, ...config }
  });
  const argsOf = (list: List): Arguments => {
    if (list === "tree") return { parentPath: "pages/notes" };
    if (list === "search") return { query: "caches" };
    return list === "related" ? { fileId: fake.fileId(SEED) } : { fileId: fake.fileId(SEED), fanout: 25 };
  };
  return {
    gateway,
    fake,
    question: (list, page = {}) => ({ knowledgeBase: fake.knowledgeBase().id, list, args: argsOf(list), ...page }),
    async whole(list) {
      const rows: string[] = [];
      const { fileId, ...query } = argsOf(list);
      const path = {
        tree: "tree",
        search: "files/search",
        related: `files/${fileId}/related`,
        expand: "graph/expand"
      }[list];
      const parameters = list === "expand" ? { fileId, ...query } : query;
      for (let cursor = ""; ; ) {
        const target = `${fake.url}/openapi/v2/knowledge-bases/${fake.knowledgeBase().id}/${path}`;
        const asked = new URLSearchParams({ ...(parameters as Record<string, string>), cursor });
        const response = await fetch(`${target}?${asked}`, { headers: { authorization: `Bearer ${fake.key}` } });
        const body = await response.json();
        rows.push(...(body.items ?? body.relationships).map((row: { path: string }) => row.path));
        if (body.nextCursor === null) break;
        cursor = body.nextCursor;
      }
      fake.requests.length = 0;
      return rows;
    },
    asked: (list) => fake.requests.filter(({ operation }) => operation === OPERATION[list]),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await fake.close();
    }
  };
}
