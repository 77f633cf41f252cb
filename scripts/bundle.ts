/** The program as one bundle: a start reads a few files in place of more than a thousand, which takes half the time. */
import { build, type Metafile } from "esbuild";

/** Installed beside the bundle, because they are large and seldom needed, optional, or must be there only once. */
const INSTALLED = ["@graphql-yoga/render-graphiql", "@opentelemetry/*", "ioredis"];

/** Bundled CommonJS asks for Node.js's own modules by `require`, which ECMAScript modules lack. */
const REQUIRE = `import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);`;

/** @returns which files of which packages went where */
export async function bundle(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: ["src/main.ts"],
    outdir: folder,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    // What is imported only when it is needed stays in files of its own.
    splitting: true,
    format: "esm",
    platform: "node",
    // ECMAScript modules where a package has both, of which only what is used is bundled, and called without a detour.
    mainFields: ["module", "main"],
    target: "node20.19",
    external: INSTALLED,
    // Libraries leave out what they check for developers, such as whether there is a second copy of graphql.
    define: { "process.env.NODE_ENV": '"production"' },
    banner: { js: REQUIRE },
    // Not minified, so that stacks name functions; with --enable-source-maps also the sources' lines.
    sourcemap: true,
    sourcesContent: false,
    // They are all in one file beside it.
    legalComments: "none",
    metafile: true,
    logLevel: "warning"
  });
  return metafile;
}
