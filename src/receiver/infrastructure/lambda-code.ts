import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { bundleLambda, type LambdaName } from "./bundle-lambda.ts";

/**
 * The code of a function as a single file. An installed package contains it. A clone bundles it from the sources: the
 * same sources produce the same bytes, so an `up` without changes has nothing to do.
 */
export async function lambdaCode(name: LambdaName): Promise<pulumi.asset.Archive> {
  const file = isSource ? await bundleToFile(name) : bundledFile(import.meta.dirname, name);
  // A FileAsset, as Pulumi would store the whole text of a StringAsset in the state.
  return new pulumi.asset.AssetArchive({ "index.mjs": new pulumi.asset.FileAsset(file) });
}

/** The path of a function's code in an installed package. `directory` is this file's directory in the package. */
export function bundledFile(directory: string, name: LambdaName): string {
  return join(directory, "bundles", `${name}.mjs`);
}

const isSource = extname(import.meta.filename) === ".ts";

async function bundleToFile(name: LambdaName): Promise<string> {
  const { code } = await bundleLambda(name);
  const file = join(import.meta.dirname, "../../../dist/lambda", `${name}.mjs`);
  await mkdir(dirname(file), { recursive: true });
  // Replaces the file atomically, as another program may be reading it.
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, code);
  await rename(partial, file);
  return file;
}
