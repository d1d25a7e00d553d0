import { join } from "node:path";
import type { LambdaName } from "./lambda-code.ts";

/** A function's code with all it needs, the AWS SDK too: what runs is what was tested. */
export interface Bundle {
  readonly code: Uint8Array;
  /** How many bytes of the code come from which file, by the file's path in the repository. */
  readonly bytesByFile: Readonly<Record<string, number>>;
}

/** Bundles a function from its sources. The same sources make the same bytes. */
export async function bundleLambda(name: LambdaName): Promise<Bundle> {
  const { build } = await import("esbuild"); // only a clone has it
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, "..", name, "lambda.ts")],
    absWorkingDir: join(import.meta.dirname, "../../.."),
    outfile: `${name}.mjs`,
    write: false,
    bundle: true,
    metafile: true,
    minify: true,
    platform: "node",
    target: "node22",
    format: "esm",
    mainFields: ["module", "main"],
    legalComments: "none",
    banner: { js: requireForCommonJs },
  });
  const [file] = outputFiles;
  const inputs = metafile.outputs[`${name}.mjs`]?.inputs ?? {};
  if (file === undefined) throw new Error(`esbuild made nothing of the function "${name}"`);
  return {
    code: file.contents,
    bytesByFile: Object.fromEntries(Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput])),
  };
}

/** CommonJS packages in the bundle ask for Node's own modules with `require`, which an ES module does not have. */
const requireForCommonJs =
  'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);';
