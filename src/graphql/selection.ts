/**
 * Which fields a query selects of the object that a resolver is about to return, so that the resolver can choose the one
 * read that answers them. A hint only: what it misses is read later, field by field.
 */
import { GraphQLDeferDirective } from "@graphql-tools/utils";
import {
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  type InlineFragmentNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode
} from "graphql";

/**
 * @param types the object's type name and those of its interfaces; fragments on others are passed over
 * @param later whether fields that @defer puts off count; where they are to be read later, they do not
 * @returns field names (not aliases), through fragments, without what @skip and @include leave out
 */
export function selectedFields(info: GraphQLResolveInfo, types: readonly string[], later = false): ReadonlySet<string> {
  const names = new Set<string>();
  const spread = new Set<string>();

  const visitFragment = (fragment: FragmentDefinitionNode | InlineFragmentNode) => {
    if (fragment.typeCondition === undefined || types.includes(fragment.typeCondition.name.value)) {
      visit(fragment.selectionSet);
    }
  };
  const visit = (set: SelectionSetNode | undefined) => {
    for (const selection of set?.selections ?? []) {
      if (!isIncluded(selection, info) || (!later && isDeferred(selection, info))) {
        continue;
      }
      if (selection.kind === Kind.FIELD) {
        names.add(selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        visitFragment(selection);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = info.fragments[selection.name.value];
        if (fragment !== undefined) {
          visitFragment(fragment);
        }
      }
    }
  };

  for (const field of info.fieldNodes) {
    visit(field.selectionSet);
  }
  return names;
}

function isIncluded(selection: SelectionNode, info: GraphQLResolveInfo): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, info.variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, info.variableValues);
  return skip?.if !== true && include?.if !== false;
}

function isDeferred(selection: SelectionNode, info: GraphQLResolveInfo): boolean {
  return getDirectiveValues(GraphQLDeferDirective, selection, info.variableValues)?.if === true;
}
