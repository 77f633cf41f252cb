/** The schema as others build on it: described, checked in, and with typed documents that fit it. */
import { readFile } from "node:fs/promises";
import { generate } from "@graphql-codegen/cli";
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  validate
} from "graphql";
import { describe, expect, it } from "vitest";
import config from "../../codegen.ts";
import { schema } from "../../src/graphql/schema.ts";
import { printSdl } from "../../src/graphql/sdl.ts";

/** Lists that are not of one knowledge base. */
const ACROSS_REVISIONS = new Set(["KnowledgeBaseConnection", "FederatedSearchConnection"]);

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith("__") && !isSpecifiedScalarType(type)
);

describe("the schema", () => {
  it("is the one that is checked in", async () => {
    expect(printSdl()).toBe(await readFile("schema/schema.graphql", "utf8"));
  });

  it("describes every type, field, argument and value", () => {
    const bare: string[] = [];
    const see = (name: string, { description }: { readonly description?: string | null | undefined }) => {
      if (!description) bare.push(name);
    };
    for (const type of types) {
      see(type.name, type);
      if (isEnumType(type)) {
        for (const value of type.getValues()) see(`${type.name}.${value.name}`, value);
      } else if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) see(`${type.name}.${field.name}`, field);
      } else if (isObjectType(type) || isInterfaceType(type)) {
        for (const field of Object.values(type.getFields())) {
          see(`${type.name}.${field.name}`, field);
          for (const arg of field.args) see(`${type.name}.${field.name}(${arg.name})`, arg);
        }
      }
    }
    expect(bare).toEqual([]);
  });

  it("writes nothing", () => {
    expect(schema.getMutationType()).toBeUndefined();
    expect(schema.getSubscriptionType()).toBeUndefined();
  });

  it("walks every list forward only, and says of each page what its revision is", () => {
    const connections = types.filter(isObjectType).filter(({ name }) => name.endsWith("Connection"));
    expect(connections.map(({ name }) => name).sort()).toEqual([
      "FederatedSearchConnection",
      "GraphExpansionConnection",
      "KnowledgeBaseConnection",
      "RelationshipConnection",
      "SearchResultConnection",
      "TreeConnection"
    ]);
    for (const connection of connections) {
      const fields = Object.keys(connection.getFields());
      expect(fields).toEqual(expect.arrayContaining(["edges", "pageInfo"]));
      expect(fields).not.toContain("totalCount");
      expect(fields.includes("activeContentRevision")).toBe(!ACROSS_REVISIONS.has(connection.name));
    }
    for (const type of types.filter(isObjectType)) {
      for (const field of Object.values(type.getFields())) {
        const args = field.args.map(({ name }) => name);
        const isList = getNamedType(field.type).name.endsWith("Connection");
        expect(args.includes("first") && args.includes("after"), `${type.name}.${field.name}`).toBe(isList);
        expect(args).not.toEqual(expect.arrayContaining(["last"]));
      }
    }
  });

  it("fits the queries of the documentation", async () => {
    const text = await readFile("docs/for-front-ends.md", "utf8");
    const queries = [...text.matchAll(/```graphql\n(.*?)```/gs)].map(([, query = ""]) => query);
    expect(queries.length).toBeGreaterThan(1);
    for (const query of queries) expect(validate(schema, parse(query)), query).toEqual([]);
  });

  it("has typed documents that are up to date", async () => {
    const made = await generate({ ...config, silent: true }, false);
    expect(made.length).toBeGreaterThan(0);
    for (const { filename, content } of made) {
      expect(await readFile(filename, "utf8"), filename).toBe(content);
    }
  });
});
