import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { requireForCommonJs } from "../../src/receiver/infrastructure/bundle-lambda.ts";

const repository = dirname(dirname(import.meta.dirname));

/** The code of the provider plugin, with all its dependencies. */
export interface PluginBundle {
  /** The modules by the names of their files. All but `plugin.mjs` are loaded only when they are needed. */
  readonly modules: Readonly<Record<string, Uint8Array>>;
  /** The files that it was made from, relative to the repository. */
  readonly sources: readonly string[];
}

/**
 * Bundles the plugin from its sources. The same sources produce the same bytes. Names and lines stay readable, because a stack
 * trace in the engine's log is all that a user can send; minified, the code would be half as large and start no sooner.
 */
export async function bundlePlugin(): Promise<PluginBundle> {
  const built = await Promise.all([
    bundle("src/plugin/main.ts", "plugin.mjs"),
    bundle(`src/secrets/resolvers/${awsResolver}.ts`, `${awsResolver}.mjs`),
  ]);
  return {
    modules: Object.fromEntries(built.map(({ file, code }) => [file, code])),
    sources: [...new Set(built.flatMap(({ sources }) => sources))],
  };
}

/** The resolver of AWS Secrets Manager. It has the AWS SDK, which is larger than all of the rest. */
const awsResolver = "aws-secrets-manager";

/** @param file its name in the plugin's folder. */
async function bundle(entryPoint: string, file: string) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(repository, entryPoint)],
    absWorkingDir: repository,
    outfile: file,
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    target: "node22",
    format: "esm",
    mainFields: ["module", "main"],
    legalComments: "none", // they are in NOTICE
    banner: { js: requireForCommonJs },
    plugins: [zodAsNamespace, awsResolverBeside],
    logLevel: "silent", // what fails is thrown, and standard output is the engine's
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild produced no output for ${file}`);
  return { file, code: output.contents, sources: Object.keys(metafile.inputs) };
}

/** Leaves the import of the AWS resolver to its own module, which is beside the plugin's. */
const awsResolverBeside: Plugin = {
  name: "AWS resolver beside the plugin",
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`/${awsResolver}\\.ts$`) }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${awsResolver}.mjs`, external: true } : undefined,
    ),
};

const zodAsNamespace: Plugin = {
  name: "zod as a namespace",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: namespaceOfZod(await readFile(path, "utf8")),
      loader: "ts",
    })),
};

/** Imported as one object, zod comes whole, with its messages in 50 languages. That is 800 kB instead of 300. */
export function namespaceOfZod(source: string): string {
  return source.replace('import { z } from "zod"', 'import * as z from "zod"');
}
