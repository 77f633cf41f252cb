/** A list in a Relay store and its `loadNext`, of relay-runtime's own parts, as React's hooks put them together. */
import {
  ConnectionInterface,
  createOperationDescriptor,
  Environment,
  getPaginationMetadata,
  getPaginationVariables,
  getRefetchMetadata,
  getSingularSelector,
  getValueAtPath,
  Network,
  RecordSource,
  Store,
  type Variables
} from "relay-runtime";
import type { Artifacts } from "./relay-documents.ts";

export interface PaginatedList<Node> {
  /** All nodes that were loaded, in order. */
  nodes(): readonly Node[];
  readonly hasNext: boolean;
  loadNext(first: number): Promise<void>;
}

export function relayEnvironment(endpoint: string): Environment {
  const network = Network.create(async ({ text }, variables) => {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: text, variables })
    });
    return await response.json();
  });
  return new Environment({ network, store: new Store(new RecordSource()) });
}

/** Runs the query with its first page, and keeps what it brings in the store. */
export async function openList<Node>(
  environment: Environment,
  { query, fragment }: Artifacts,
  variables: Variables
): Promise<PaginatedList<Node>> {
  const { connectionPathInFragmentData, paginationRequest, paginationMetadata } = getPaginationMetadata(
    fragment,
    fragment.name
  );
  const { identifierInfo } = getRefetchMetadata(fragment, fragment.name);
  const { EDGES, NODE, PAGE_INFO, HAS_NEXT_PAGE, END_CURSOR } = ConnectionInterface.get();
  const operation = createOperationDescriptor(query, variables);
  environment.retain(operation);
  await environment.execute({ operation }).toPromise();
  const owner = findReference(environment.lookup(operation.fragment).data, fragment.name);
  const selector = getSingularSelector(fragment, owner);

  const read = () => environment.lookup(selector).data as Record<string, unknown>;
  const connection = () => getValueAtPath(read(), connectionPathInFragmentData);
  return {
    nodes: () => connection()[EDGES].map((edge: Record<string, Node>) => edge[NODE]),
    get hasNext() {
      return connection()[PAGE_INFO][HAS_NEXT_PAGE];
    },
    async loadNext(first) {
      const base = { ...variables, ...selector.variables };
      const cursor = connection()[PAGE_INFO][END_CURSOR];
      const next = getPaginationVariables("forward", first, cursor, base, {}, paginationMetadata);
      const { identifierField, identifierQueryVariableName } = identifierInfo ?? {};
      if (identifierField) next[identifierQueryVariableName ?? ""] = read()[identifierField];
      const page = createOperationDescriptor(paginationRequest, next, { force: true });
      await environment.execute({ operation: page }).toPromise();
    }
  };
}

/** The object of a query's data that the fragment was spread on. */
function findReference(data: unknown, fragment: string): unknown {
  if (typeof data !== "object" || data === null) throw new Error(`${fragment} was spread on nothing`);
  if (fragment in ((data as Record<string, object>).__fragments ?? {})) return data;
  const [only] = Object.values(data).filter((value) => typeof value === "object");
  return findReference(only, fragment);
}
