import { dirname, join } from "node:path";
import { build } from "esbuild";

const repository = dirname(import.meta.dirname);

/** Bundles the file of the command `events` that loads the AWS SDK, with the SDK. The same sources produce the same bytes. */
export async function bundleAwsStore(): Promise<{ readonly code: Uint8Array; readonly sources: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(repository, "src/cli/events/aws-store.ts")],
    absWorkingDir: repository,
    outfile: "aws-store.js",
    write: false,
    bundle: true,
    metafile: true,
    minify: true, // half as large
    platform: "node",
    target: "node22",
    format: "esm",
    mainFields: ["module", "main"],
    legalComments: "none",
    banner: { js: requireForCommonJs },
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error("esbuild produced no output for src/cli/events/aws-store.ts");
  return { code: output.contents, sources: Object.keys(metafile.inputs) };
}

/** Defines `require`, which CommonJS packages call for Node's own modules and ES modules do not have. */
const requireForCommonJs =
  'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);';
