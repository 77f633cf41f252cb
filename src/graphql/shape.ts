/**
 * How deep a query nests and how many aliases it has, fragments included. Each fragment is measured once, so that one
 * that doubles another that doubles another hides nothing and takes no longer to refuse than to read.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode
} from "graphql";

export interface Shape {
  /** Fields from the root to the deepest leaf; infinite where a fragment spreads itself. */
  readonly depth: number;
  /** Aliased fields, each time that a fragment with one is spread. */
  readonly aliases: number;
}

const EMPTY: Shape = { depth: 0, aliases: 0 };
const ENDLESS: Shape = { depth: Number.POSITIVE_INFINITY, aliases: 0 };

/** The greatest figures of all operations of a document, which need not be valid. What lies in introspection is free. */
export function measureShape(document: DocumentNode): Shape {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition);
    } else if (definition.kind === Kind.OPERATION_DEFINITION) {
      operations.push(definition);
    }
  }
  const measured = new Map<string, Shape>();

  const ofSet = (set: SelectionSetNode | undefined): Shape => {
    let depth = 0;
    let aliases = 0;
    for (const selection of set?.selections ?? []) {
      const part = ofSelection(selection);
      depth = Math.max(depth, part.depth);
      aliases += part.aliases;
    }
    return { depth, aliases };
  };
  const ofSelection = (selection: SelectionNode): Shape => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return ofFragment(selection.name.value);
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return ofSet(selection.selectionSet);
    }
    const below = selection.name.value.startsWith("__") ? EMPTY : ofSet(selection.selectionSet);
    return { depth: below.depth + 1, aliases: below.aliases + (selection.alias === undefined ? 0 : 1) };
  };
  const ofFragment = (name: string): Shape => {
    const known = measured.get(name);
    if (known !== undefined) {
      return known;
    }
    // Whoever comes here again before the fragment is measured came through the fragment itself.
    measured.set(name, ENDLESS);
    const shape = ofSet(fragments.get(name)?.selectionSet);
    measured.set(name, shape);
    return shape;
  };

  const shapes = operations.map((operation) => ofSet(operation.selectionSet));
  return {
    depth: Math.max(0, ...shapes.map(({ depth }) => depth)),
    aliases: Math.max(0, ...shapes.map(({ aliases }) => aliases))
  };
}
