/**
 * The server that most teams write first: GraphQL Yoga, resolvers that `fetch`, one call a file, no loader. It keeps
 * nothing, limits nothing and serves one tenant.
 */
import { createServer } from "node:http";
import { createSchema, createYoga } from "graphql-yoga";
import { listening, serveParent, upstreamUrl } from "./child.ts";
import { UPSTREAM_KEY } from "./world.ts";

const BASE = `${upstreamUrl()}/openapi/v2/knowledge-bases`;

async function read<T>(path: string): Promise<T> {
  const response = await fetch(`${BASE}/${path}`, { headers: { authorization: `Bearer ${UPSTREAM_KEY}` } });
  if (!response.ok) throw new Error(`upstream: ${response.status}`);
  return (await response.json()) as T;
}

interface Row {
  readonly fileId: string;
}

interface InKnowledgeBase {
  readonly knowledgeBaseId: string;
}

const listed = (knowledgeBaseId: string, rows: readonly Row[]) => rows.map((row) => ({ ...row, knowledgeBaseId }));

const schema = createSchema({
  typeDefs: `
    type Query { knowledgeBase(id: ID!): KnowledgeBase }
    type KnowledgeBase {
      name: String
      tree(parentPath: String!, first: Int!): [Entry!]!
      search(query: String!, first: Int!): [Hit!]!
      file(fileId: ID!): File
    }
    type Entry { path: String! file: File! }
    type Hit { path: String! title: String score: Float matchType: String sourceExcerpt: String related(first: Int!): [Entry!]! }
    type File { path: String! title: String tags: [String!] content: String }
  `,
  resolvers: {
    Query: {
      knowledgeBase: async (_root: unknown, { id }: { id: string }) =>
        (await read<{ knowledgeBase: object }>(id)).knowledgeBase
    },
    KnowledgeBase: {
      tree: async ({ knowledgeBaseId: id }: InKnowledgeBase, args: { parentPath: string; first: number }) => {
        const target = `${id}/tree?parentPath=${encodeURIComponent(args.parentPath)}&limit=${args.first}`;
        return listed(id, (await read<{ items: Row[] }>(target)).items);
      },
      search: async ({ knowledgeBaseId: id }: InKnowledgeBase, args: { query: string; first: number }) => {
        const target = `${id}/files/search?query=${encodeURIComponent(args.query)}&limit=${args.first}`;
        return listed(id, (await read<{ items: Row[] }>(target)).items);
      },
      file: ({ knowledgeBaseId }: InKnowledgeBase, { fileId }: Row) => ({ knowledgeBaseId, fileId })
    },
    Entry: {
      file: async ({ knowledgeBaseId: id, fileId }: Row & InKnowledgeBase) => ({
        ...(await read<{ file: object }>(`${id}/files/${fileId}`)).file,
        knowledgeBaseId: id
      })
    },
    Hit: {
      related: async ({ knowledgeBaseId: id, fileId }: Row & InKnowledgeBase, { first }: { first: number }) =>
        listed(id, (await read<{ items: Row[] }>(`${id}/files/${fileId}/related?limit=${first}`)).items)
    },
    File: {
      content: async ({ knowledgeBaseId: id, fileId }: Row & InKnowledgeBase) =>
        (await read<{ content: string }>(`${id}/files/${fileId}/content`)).content
    }
  }
});

const server = createServer(createYoga({ schema, logging: false }));
server.keepAliveTimeout = 600_000;

serveParent({ url: await listening(server) });
