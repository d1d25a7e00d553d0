import { join } from "node:path";
import type { BuildOptions } from "esbuild";

/** The functions of the receiver: the folders of `src/receiver` that have a `lambda.ts`. */
export const lambdaNames = ["acknowledge", "consume", "reconcile"] as const;

export type LambdaName = (typeof lambdaNames)[number];

/** The code of a function with all its dependencies. They include the AWS SDK, so that the tested version runs. */
export interface Bundle {
  readonly code: Uint8Array;
  /** How many bytes of the code come from each file, by the file's path in the repository. */
  readonly bytesByFile: Readonly<Record<string, number>>;
}

/** Bundles a function from its sources. The same sources produce the same bytes. */
export async function bundleLambda(name: LambdaName): Promise<Bundle> {
  const { build } = await import("esbuild"); // a development dependency, absent from an installed package
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, "..", name, "lambda.ts")],
    absWorkingDir: join(import.meta.dirname, "../../.."),
    outfile: `${name}.mjs`,
    target: "node24",
    ...bundleOptions,
  });
  const [file] = outputFiles;
  const inputs = metafile.outputs[`${name}.mjs`]?.inputs ?? {};
  if (file === undefined) throw new Error(`esbuild produced no output for the function "${name}"`);
  return {
    code: file.contents,
    bytesByFile: Object.fromEntries(Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput])),
  };
}

/** Defines `require`, which CommonJS packages call for Node's own modules and ES modules do not have. */
export const requireForCommonJs =
  'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);';

/** The options of esbuild for code that runs on Node.js with the AWS SDK in it. */
export const bundleOptions = {
  write: false,
  bundle: true,
  metafile: true,
  minify: true,
  platform: "node",
  format: "esm",
  mainFields: ["module", "main"],
  legalComments: "none",
  banner: { js: requireForCommonJs },
} satisfies BuildOptions;
