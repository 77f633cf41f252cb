/** The work, as each server is asked for it. */
import type { LoadRequest } from "./load.ts";
import { type Group, groups, KNOWLEDGE_BASE, SLUG, TENANT_KEY } from "./world.ts";

export type ServerName = "reference" | "naive" | "gateway";

export interface Job {
  readonly name: string;
  /** Cold: a cache too small for the job's questions. Warm: everything was asked before. */
  readonly state: "cold" | "warm";
  /** The gateway's rate as a ratio to the reference's, to be reached. */
  readonly target?: number;
  /** One question a group. */
  readonly requests: Readonly<Record<ServerName, readonly LoadRequest[]>>;
}

const MIRROR = `/openapi/v2/knowledge-bases/${KNOWLEDGE_BASE}`;
const JSON_BODY = { "content-type": "application/json" };
const KEY = { authorization: `Bearer ${TENANT_KEY}` };

const QUERIES = {
  search: {
    gateway: `query ($query: String!) { knowledgeBase(key: "${SLUG}") { search(query: $query, first: 10) {
      edges { node { score matchType sourceExcerpt file { path title } } } } } }`,
    naive: `query ($query: String!) { knowledgeBase(id: "${KNOWLEDGE_BASE}") { search(query: $query, first: 10) {
      score matchType sourceExcerpt path title } } }`
  },
  fifty: {
    gateway: `query ($directory: String!) { knowledgeBase(key: "${SLUG}") { tree(parentPath: $directory, first: 50) {
      edges { node { path ... on File { title tags } } } } } }`,
    naive: `query ($directory: String!) { knowledgeBase(id: "${KNOWLEDGE_BASE}") {
      tree(parentPath: $directory, first: 50) { path file { title tags } } } }`
  },
  nested: {
    gateway: `query ($query: String!) { knowledgeBase(key: "${SLUG}") { search(query: $query, first: 10) {
      edges { node { file { path related(first: 5) { edges { node { file { path title tags } } } } } } } } } }`,
    naive: `query ($query: String!) { knowledgeBase(id: "${KNOWLEDGE_BASE}") { search(query: $query, first: 10) {
      path related(first: 5) { path file { title tags } } } } }`
  },
  content: {
    gateway: `query ($fileId: String!) { knowledgeBase(key: "${SLUG}") { file(by: { fileId: $fileId }) { content } } }`,
    naive: `query ($fileId: ID!) { knowledgeBase(id: "${KNOWLEDGE_BASE}") { file(fileId: $fileId) { content } } }`
  }
} as const;

const search = {
  ...overGraphQL("search", ({ query }) => ({ query })),
  reference: gets(({ query }) => `${MIRROR}/files/search?query=${encodeURIComponent(query)}&limit=10`)
};
const fifty = {
  ...overGraphQL("fifty", ({ directory }) => ({ directory })),
  reference: gets(({ directory }) => `/fifty?q=${encodeURIComponent(directory)}`)
};
const nested = {
  ...overGraphQL("nested", ({ query }) => ({ query })),
  reference: gets(({ query }) => `/nested?q=${encodeURIComponent(query)}`)
};
const content = {
  ...overGraphQL("content", ({ large }) => ({ fileId: large.id })),
  reference: gets(({ large }) => `${MIRROR}/files/${large.id}/content`)
};
const contentOverRest = { ...content, gateway: gets(({ large }) => `/agent/${SLUG}/files/${large.id}/content`, KEY) };

export const JOBS: readonly Job[] = [
  { name: "search", state: "cold", target: 0.3, requests: search },
  { name: "search", state: "warm", requests: search },
  { name: "fifty files", state: "cold", target: 0.5, requests: fifty },
  { name: "fifty files", state: "warm", target: 1.5, requests: fifty },
  { name: "nested", state: "cold", target: 0.4, requests: nested },
  { name: "nested", state: "warm", target: 1.5, requests: nested },
  { name: "content, REST", state: "cold", target: 0.8, requests: contentOverRest },
  { name: "content, REST", state: "warm", target: 1.5, requests: contentOverRest },
  { name: "content, GraphQL", state: "cold", requests: content },
  { name: "content, GraphQL", state: "warm", target: 0.6, requests: content }
];

function overGraphQL(name: keyof typeof QUERIES, variables: (group: Group) => object) {
  const { gateway, naive } = QUERIES[name];
  const posts = (query: string, headers: Readonly<Record<string, string>>) =>
    groups.map((group): LoadRequest => {
      const body = JSON.stringify({ query, variables: variables(group) });
      return { method: "POST", path: "/graphql", headers: { ...JSON_BODY, ...headers }, body };
    });
  return { gateway: posts(gateway, KEY), naive: posts(naive, {}) };
}

function gets(path: (group: Group) => string, headers: Readonly<Record<string, string>> = {}): readonly LoadRequest[] {
  return groups.map((group) => ({ method: "GET", path: path(group), headers }));
}
