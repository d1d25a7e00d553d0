import { dirname, join } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "../src/receiver/infrastructure/bundle-lambda.ts";

const repository = dirname(import.meta.dirname);

/** Bundles the file of the command `events` that loads the AWS SDK, with the SDK. The same sources produce the same bytes. */
export async function bundleAwsStore(): Promise<{ readonly code: Uint8Array; readonly sources: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(repository, "src/cli/events/aws-store.ts")],
    absWorkingDir: repository,
    outfile: "aws-store.js",
    target: "node22",
    ...bundleOptions,
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error("esbuild produced no output for src/cli/events/aws-store.ts");
  return { code: output.contents, sources: Object.keys(metafile.inputs) };
}
