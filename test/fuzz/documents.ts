/** Random GraphQL documents, made from the schema itself: sound ones, and wild ones in which anything may be wrong. */
import fc from "fast-check";
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType
} from "graphql";
import type { Words } from "./world.ts";

export interface RandomRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** True where the schema allows it, within every documented limit, and all that it names is there. */
  readonly sound: boolean;
}

const DEEPEST = 9;
const DEEPEST_SOUND = 7;
const MOST_FIELDS = 3;
/** Where a document is that long already, what is still open closes. */
const LONG = 60;
/** Lists of lists multiply; below the tenant's complexity also where five of them are nested. */
const SOUND_ROWS = [0, 1, 2] as const;

/** @param words values that mean something to the upstream under test */
export function randomRequest(schema: GraphQLSchema, words: Words): fc.Arbitrary<RandomRequest> {
  return fc.tuple(fc.constantFrom(true, true, false), fc.gen()).map(([sound, gen]) => {
    return new Composer(schema, words, gen, sound).compose();
  });
}

class Composer {
  readonly #schema: GraphQLSchema;
  readonly #words: Words;
  readonly #gen: fc.GeneratorValue;
  readonly #sound: boolean;
  readonly #deepest: number;
  readonly #fragments: string[] = [];
  readonly #declared: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  #fields = 0;

  constructor(schema: GraphQLSchema, words: Words, gen: fc.GeneratorValue, sound: boolean) {
    this.#schema = schema;
    this.#words = words;
    this.#gen = gen;
    this.#sound = sound;
    this.#deepest = sound ? DEEPEST_SOUND : DEEPEST;
  }

  compose(): RandomRequest {
    const root = this.#schema.getQueryType();
    if (root === null || root === undefined) throw new Error("a schema without queries");
    const selection = this.#selection(root, 0);
    const head = this.#declared.length === 0 ? "query" : `query (${this.#declared.join(", ")})`;
    const query = [`${head} ${selection}`, ...this.#fragments].join("\n");
    return { query: this.#damaged(query), variables: this.#variables, sound: this.#sound };
  }

  #chance(oneIn: number): boolean {
    return this.#gen(fc.nat, { max: oneIn - 1 }) === 0;
  }

  /** Something wrong, now and then; never in a sound document. */
  #mistake(oneIn: number): boolean {
    return !this.#sound && this.#chance(oneIn);
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#gen(fc.nat, { max: from.length - 1 })] as T;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (!isObjectType(type) && !isInterfaceType(type)) return "{ __typename }";
    const fields = Object.values(type.getFields());
    const count = 1 + this.#gen(fc.nat, { max: MOST_FIELDS - 1 });
    const parts: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const field = this.#one(fields);
      const closes = isCompositeType(getNamedType(field.type)) && (depth >= this.#deepest || this.#fields >= LONG);
      parts.push(closes ? "__typename" : this.#field(field, depth));
    }
    if (this.#chance(6)) parts.push("__typename");
    if (depth < this.#deepest && this.#fields < LONG && this.#chance(4)) parts.push(this.#spread(type, depth));
    return `{ ${parts.join(" ")} }`;
  }

  #field(field: { name: string; type: GraphQLOutputType; args: readonly GraphQLArgument[] }, depth: number) {
    this.#fields += 1;
    // Two fields of one name with other arguments cannot be merged; an alias of its own keeps documents valid.
    const alias = field.args.length > 0 || this.#chance(5) ? `${field.name}${this.#fields}: ` : "";
    const type = getNamedType(field.type);
    const below = isCompositeType(type) ? ` ${this.#selection(type, depth + 1)}` : "";
    return `${alias}${field.name}${this.#arguments(field.args)}${this.#directive()}${below}`;
  }

  #spread(type: GraphQLNamedType, depth: number): string {
    const possible = isInterfaceType(type) ? this.#schema.getPossibleTypes(type).map(({ name }) => name) : [type.name];
    const name = this.#one(possible);
    const on = this.#schema.getType(name) ?? type;
    if (this.#chance(2)) return `... on ${name}${this.#directive()} ${this.#selection(on, depth + 1)}`;
    const fragment = `F${this.#fragments.length}`;
    // Reserved before its selection is made, which may hold others, or itself.
    const place = this.#fragments.push("") - 1;
    const inside = this.#mistake(100) ? `{ __typename ...${fragment} }` : this.#selection(on, depth + 1);
    this.#fragments[place] = `fragment ${fragment} on ${name} ${inside}`;
    return `...${fragment}`;
  }

  #directive(): string {
    if (!this.#chance(12)) return "";
    if (this.#mistake(20)) return this.#one([" @include", " @nobody"]);
    return this.#one([" @include(if: true)", " @skip(if: true)", " @skip(if: false)"]);
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args
      .filter(({ name, type }) => isNonNullType(type) || this.#chance(3) || (this.#sound && name === "first"))
      .filter(() => !this.#mistake(200))
      .map(({ name, type }) => `${name}: ${this.#argument(name, type)}`);
    return given.length === 0 ? "" : `(${given.join(", ")})`;
  }

  #argument(name: string, type: GraphQLInputType): string {
    if (!this.#chance(4)) return this.#literal(name, type);
    const variable = `v${this.#declared.length}`;
    this.#declared.push(`$${variable}: ${type}`);
    if (!this.#mistake(15)) this.#variables[variable] = this.#value(name, type);
    return `$${variable}`;
  }

  #literal(name: string, type: GraphQLInputType): string {
    const value = this.#value(name, type);
    return isEnumType(getNamedType(type)) && typeof value === "string" ? value : this.#printed(value, type);
  }

  #printed(value: unknown, type: GraphQLInputType): string {
    const named = getNamedType(type);
    if (Array.isArray(value)) return `[${value.map((item) => this.#printed(item, named)).join(", ")}]`;
    if (typeof value !== "object" || value === null) return isEnumType(named) ? String(value) : JSON.stringify(value);
    const fields = isInputObjectType(named) ? named.getFields() : {};
    const members = Object.entries(value).map(([name, member]) => {
      const of = fields[name]?.type;
      return `${name}: ${of === undefined ? JSON.stringify(member) : this.#printed(member, of)}`;
    });
    return `{ ${members.join(", ")} }`;
  }

  #value(name: string, type: GraphQLInputType): unknown {
    if (this.#mistake(120)) return this.#one([null, 1.5, "x", true, [], {}]);
    if (isNonNullType(type)) return this.#value(name, type.ofType);
    if (isListType(type))
      return Array.from({ length: (this.#sound ? 1 : 0) + this.#gen(fc.nat, { max: 2 }) }, () =>
        this.#value(name, type.ofType)
      );
    if (isEnumType(type)) return this.#one(type.getValues()).name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(() => this.#chance(2));
      const chosen = type.isOneOf ? [this.#one(Object.values(type.getFields()))] : fields;
      return Object.fromEntries(chosen.map((field) => [field.name, this.#value(field.name, field.type)]));
    }
    return this.#scalar(name, type.name);
  }

  #scalar(name: string, type: string): unknown {
    if (type === "Boolean") return this.#chance(2);
    if (this.#sound) return this.#soundScalar(name, type);
    if (type === "Int" || type === "SafeInt") return this.#one([0, 1, 2, 5, 50, 200, 500, 501, -1, 2 ** 31 - 1]);
    if (type === "Float") return this.#one([0, 0.5, 1, -1, 1e300]);
    return this.#chance(5) ? this.#gen(fc.string, { unit: "binary", maxLength: 40 }) : this.#known(name);
  }

  #soundScalar(name: string, type: string): unknown {
    if (name === "first") return this.#one(SOUND_ROWS);
    if (type === "Int" || type === "SafeInt") return this.#one([1, 2]);
    if (type === "Float") return this.#one([0, 0.5, 1]);
    const known = this.#words.sound[name];
    if (known === undefined) throw new Error(`no sound value is known of ${name}`);
    return this.#one(known);
  }

  #known(name: string): string {
    const { keys, fileIds, paths, cursors } = this.#words;
    if (name === "key" || name === "knowledgeBases") return this.#one(keys);
    if (name === "fileId") return this.#one(fileIds);
    if (name === "path" || name === "parentPath") return this.#one(paths);
    if (name === "after") return this.#one(cursors);
    return this.#one(["cache", "about caches", "K", "日本語", ...keys, ...fileIds]);
  }

  /** Now and then a document in which something is lost, doubled or put in. */
  #damaged(query: string): string {
    if (!this.#mistake(10)) return query;
    const at = this.#gen(fc.nat, { max: query.length });
    const length = this.#gen(fc.nat, { max: 6 });
    const put = this.#one(["", "{", "}", "(", ")", "...", "$", "@", '"', "\u0000", "#", query.slice(at, at + length)]);
    return query.slice(0, at) + put + query.slice(at + length);
  }
}
