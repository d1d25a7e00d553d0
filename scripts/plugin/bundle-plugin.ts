import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";

const repository = dirname(dirname(import.meta.dirname));

/** The code of the provider plugin in one module, with all its dependencies. */
export interface PluginBundle {
  readonly code: Uint8Array;
  /** The files that it was made from, relative to the repository. */
  readonly sources: readonly string[];
}

/**
 * Bundles the plugin from its sources. The same sources produce the same bytes. Names and lines stay readable, because a stack
 * trace in the engine's log is all that a user can send; minified, the code would be half as large and start no sooner.
 */
export async function bundlePlugin(): Promise<PluginBundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(repository, "src/plugin/main.ts")],
    absWorkingDir: repository,
    outfile: "plugin.mjs",
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    target: "node22",
    format: "esm",
    mainFields: ["module", "main"],
    legalComments: "none", // they are in NOTICE
    banner: { js: requireForCommonJs },
    plugins: [zodAsNamespace],
    logLevel: "silent", // what fails is thrown, and standard output is the engine's
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild produced no output for the plugin");
  return { code: file.contents, sources: Object.keys(metafile.inputs) };
}

/** Defines `require`, which CommonJS packages call for Node's own modules and ES modules do not have. */
const requireForCommonJs =
  'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);';

/** Imported as one object, zod comes whole, with its messages in 50 languages. That is 800 kB instead of 300. */
const zodAsNamespace: Plugin = {
  name: "zod as a namespace",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace('import { z } from "zod"', 'import * as z from "zod"'),
      loader: "ts",
    })),
};
