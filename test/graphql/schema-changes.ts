/** What a change of the schema would break for somebody. Source: docs/schema-changes.md. */
import { CriticalityLevel, diff } from "@graphql-inspector/core";
import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType
} from "graphql";

/** Sentences, none where nothing breaks. */
export async function breakingChanges(before: GraphQLSchema, after: GraphQLSchema): Promise<string[]> {
  const changes = await diff(before, after);
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
  return [...new Set([...breaking.map(({ message }) => message), ...newPromises(before, after)])];
}

/**
 * Outputs that could be null and cannot any more. Queries survive that, so it is no breaking change to GraphQL; but it is
 * a promise about every release of the knowledge service, it cannot be taken back, and where it fails it takes the whole
 * list with it.
 */
function newPromises(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return Object.values(before.getTypeMap()).flatMap((type) => {
    const now = after.getType(type.name);
    if (!(isObjectType(type) || isInterfaceType(type)) || !(isObjectType(now) || isInterfaceType(now))) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const changed = now.getFields()[field.name];
      if (changed === undefined || !isTighter(field.type, changed.type)) return [];
      return [`Field '${type.name}.${field.name}' promises more: '${field.type}' became '${changed.type}'`];
    });
  });
}

function isTighter(before: GraphQLOutputType, after: GraphQLOutputType): boolean {
  if (!isNonNullType(before) && isNonNullType(after)) return true;
  const [inner, innerAfter] = [getNullableType(before), getNullableType(after)];
  return isListType(inner) && isListType(innerAfter) && isTighter(inner.ofType, innerAfter.ofType);
}
