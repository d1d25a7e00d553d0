import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/** The functions of the receiver: the folders of `src/receiver` that have a `lambda.ts`. */
export const lambdaNames = ["acknowledge", "consume", "reconcile"] as const;

export type LambdaName = (typeof lambdaNames)[number];

/**
 * The code of a function, in one file. A published package brings it along; a clone makes it from the sources. The same
 * sources make the same bytes, so that an `up` without a change has nothing to do.
 */
export async function lambdaCode(name: LambdaName): Promise<pulumi.asset.Archive> {
  const file = isSource ? await builtFromSource(name) : bundledFile(import.meta.dirname, name);
  // A file, not its text: a text would be stored in the state.
  return new pulumi.asset.AssetArchive({ "index.mjs": new pulumi.asset.FileAsset(file) });
}

/** Where a published package has the code of a function, beside this file. */
export function bundledFile(directory: string, name: LambdaName): string {
  return join(directory, "bundles", `${name}.mjs`);
}

const isSource = extname(import.meta.filename) === ".ts";

async function builtFromSource(name: LambdaName): Promise<string> {
  const { bundleLambda } = await import("./bundle-lambda.ts");
  const { code } = await bundleLambda(name);
  const file = join(import.meta.dirname, "../../../dist/lambda", `${name}.mjs`);
  await mkdir(dirname(file), { recursive: true });
  // Another program may be reading it.
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, code);
  await rename(partial, file);
  return file;
}
