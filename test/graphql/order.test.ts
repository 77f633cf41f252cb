import { expect, test } from "vitest";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

test("fields stand in the order in which they were selected, whichever settles first", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream } });
  const { id } = upstream.knowledgeBase();
  const { text } = await gateway.graphql(
    `{ knowledgeBase(key: "${id}") { name tree(parentPath: "pages") { edges { node { name ... on File { title path } } } pageInfo { hasNextPage } } key } viewer { tenant } }`
  );
  const names = [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name);
  expect([...new Set(names)]).toEqual([
    ...["data", "knowledgeBase", "name", "tree", "edges", "node", "title", "path", "pageInfo", "hasNextPage"],
    ...["key", "viewer", "tenant"]
  ]);
});
