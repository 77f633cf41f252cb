/** Typed documents of `schema/operations`, for tests and as an example for front ends: `npx graphql-codegen --config codegen.ts`. */
import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "schema/schema.graphql",
  documents: "schema/operations/*.graphql",
  generates: {
    "test/graphql/generated/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: "string",
        useTypeImports: true,
        enumsAsTypes: true,
        importExtension: ".ts",
        scalars: { ID: "string", DateTime: "string", JSON: "unknown", SafeInt: "number" }
      }
    }
  }
};

export default config;
