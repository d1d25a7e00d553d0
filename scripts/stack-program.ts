import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { requireForCommonJs } from "../src/receiver/infrastructure/bundle-lambda.ts";
import { namespaceOfZod } from "./plugin/bundle-plugin.ts";

const repository = dirname(import.meta.dirname);

/** Besides the bundled sources, these decide what the bundle is. */
const recipe = [
  "scripts/stack-program.ts",
  "scripts/plugin/bundle-plugin.ts",
  "src/receiver/infrastructure/bundle-lambda.ts",
];

/** Packages that stay where they are: Pulumi's must be the same as those of the host, and the others are only for a receiver. */
const external = ["@pulumi/*", "@aws-sdk/*", "@aws-lambda-powertools/*", "esbuild"];

/**
 * Bundles `src/program.ts` for this clone: `program.mjs`, and beside it what is loaded only when it is needed. Names and lines
 * stay readable for stack traces.
 *
 * @returns the files that it was made from, relative to the repository.
 */
export async function writeStackProgram(folder: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(repository, "src/program.ts")],
    absWorkingDir: repository,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    metafile: true,
    platform: "node",
    target: "node22",
    format: "esm",
    mainFields: ["module", "main"],
    banner: { js: requireForCommonJs },
    external,
    define: Object.fromEntries(Object.keys(placeOf("")).map((name) => [`import.meta.${name}`, `module_${name}`])),
    plugins: [placesOfSources],
    logLevel: "silent", // what fails is thrown, and standard output is the engine's
  });
  return [...new Set([...Object.keys(metafile.inputs), ...recipe])].sort();
}

/** Modules find files from where they are in `src`. So `import.meta` is replaced with constants that each module has of its own. */
const placesOfSources: Plugin = {
  name: "places of sources",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const constants = Object.entries(placeOf(path)).map(([name, value]) => `module_${name}=${JSON.stringify(value)}`);
      const text = namespaceOfZod(await readFile(path, "utf8"));
      return { contents: `const ${constants.join()};${text}`, loader: "ts" };
    }),
};

/** What `import.meta` says in the module of that path. */
function placeOf(path: string) {
  return { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) };
}
