/** What the parity table reads: a fake upstream with three knowledge bases, and callers who may see more or less. */
import { OPERATION_NAMES } from "../../src/config/schema.ts";
import { KnowledgeBaseModel } from "../harness/fake-model.ts";
import { type FakeKnowledgeBase, type FakeRequest, type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../harness/gateway.ts";

const KNOWLEDGE_BASES: Readonly<Record<string, FakeKnowledgeBase>> = {
  handbook: {
    id: "knowledge-base-00000000-0000-4000-8000-000000000001",
    name: "Handbook",
    description: "How we work",
    pages: [
      {
        path: "pages/one.md",
        title: "One",
        description: "The first page",
        tags: ["caching", "basics"],
        frontmatter: { type: "Guide", status: "stable", verified: [{ by: "human:kim" }] },
        content: "# One\n\nThe cache.\n"
      },
      { path: "pages/two.md", title: "Two", content: "# Two\n\nAnother cache.\n" },
      { path: "pages/guides/three.md", title: "Three", content: "# Three\n\nOne more cache.\n" },
      { path: "pages/secret/four.md", title: "Four", content: "# Four\n\nA hidden cache.\n" },
      { path: "pages/void.md", content: "" }
    ],
    relations: [
      { from: "pages/one.md", to: "pages/two.md", relationType: "references", weight: 0.5, reason: "a link" },
      { from: "pages/one.md", to: "pages/secret/four.md" },
      { from: "pages/guides/three.md", to: "pages/one.md", reason: null },
      { from: "pages/two.md", to: "pages/guides/three.md", direction: "bidirectional" }
    ]
  },
  blank: { id: "knowledge-base-00000000-0000-4000-8000-000000000002", name: "Blank", pages: [] },
  other: {
    id: "knowledge-base-00000000-0000-4000-8000-000000000003",
    name: "Other",
    pages: [{ path: "pages/one.md", content: "# Theirs\n\nTheir cache.\n" }]
  }
};

const MODEL = new KnowledgeBaseModel(KNOWLEDGE_BASES.handbook ?? {});

/** Of the handbook; ids follow from the path. */
export const fileId = (path: string): string => MODEL.fileId(path);

/** The navigation page that the upstream makes in a directory of the handbook. */
export function leafOf(directory: string): string {
  const leaves = [...MODEL.files().keys()].filter((path) => path.startsWith(`${directory}/index-directory-leaf-`));
  return leaves[0] ?? "";
}

/** The upstream's id of a slug; what is no slug is an id that nothing has. */
export function knowledgeBaseId(slug = "handbook"): string {
  return KNOWLEDGE_BASES[slug]?.id ?? slug;
}

/** Who asks. `default` has everything, and no limit of its own. */
export type Caller =
  | "default"
  | "anonymous"
  | "ruled"
  | "named"
  | "nobody"
  | "small"
  | `without_${(typeof OPERATION_NAMES)[number]}`;

const RULES = { allow: ["pages/**"], deny: ["pages/secret/**"] };

const TENANTS: NonNullable<TestGatewayOptions["tenants"]> = {
  default: { grants: [{ upstream: "main" }] },
  ruled: { grants: [{ upstream: "main", paths: RULES }] },
  named: { grants: [{ knowledgeBases: ["handbook"] }] },
  nobody: { grants: [] },
  small: { grants: [{ upstream: "main" }], limits: { pageSize: 1 } },
  ...Object.fromEntries(
    OPERATION_NAMES.map((without) => [
      `without_${without}`,
      { grants: [{ upstream: "main", operations: OPERATION_NAMES.filter((operation) => operation !== without) }] }
    ])
  )
};

/** Where nothing was asked before, of the gateway or by it. */
export interface Cold extends AsyncDisposable {
  readonly upstream: FakeUpstream;
  readonly gateway: TestGateway;
  readonly token: string | undefined;
  /** What was asked of the upstream, in order: operation, file, and parameters by name. */
  asked(): string[];
}

export async function cold(caller: Caller): Promise<Cold> {
  const upstream = await fakeUpstream({ knowledgeBases: Object.values(KNOWLEDGE_BASES) });
  const ids = Object.entries(KNOWLEDGE_BASES).map(([slug, { id = "" }]) => [slug, { upstream: "main", id }] as const);
  const gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: Object.fromEntries(ids),
    ...(caller === "anonymous" ? {} : { tenants: TENANTS }),
    config: { audit: { file: "-" } }
  });
  return {
    upstream,
    gateway,
    token: caller === "anonymous" ? undefined : gateway.token(caller),
    asked: () => upstream.requests.map(rendered),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await upstream.close();
    }
  };
}

function rendered({ operation, fileId, query }: FakeRequest): string {
  const parameters = Object.entries(query)
    .map(([name, value]) => `${name}=${name === "fileId" ? nameOf(value) : value}`)
    .sort();
  return [operation, ...(fileId === undefined ? [] : [nameOf(fileId)]), ...parameters].join(" ");
}

function nameOf(fileId: string): string {
  return MODEL.fileById(fileId)?.path ?? fileId;
}
