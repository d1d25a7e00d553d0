import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { bundleLambda, lambdaNames } from "../../src/receiver/infrastructure/bundle-lambda.ts";
import { bundleAwsStore } from "../bundle-aws-store.ts";
import { bundlePlugin } from "../plugin/bundle-plugin.ts";

/** A package as the lock file has it. */
export interface LockedPackage {
  /** `node_modules/undici` */
  place: string;
  name: string;
  version: string;
}

const repository = dirname(dirname(import.meta.dirname));
const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      optional: z.boolean().default(false),
    }),
  ),
});

/**
 * The packages that come with ours: what it depends on, and what is in the bundles of the receiver's functions, of the command
 * `events` and of the provider plugin.
 */
export async function shippedPackages(): Promise<LockedPackage[]> {
  const lock = lockSchema.parse(JSON.parse(await readFile(join(repository, "package-lock.json"), "utf8")));
  const bundled = await bundledPlaces();
  return Object.entries(lock.packages).flatMap(([place, { version = "", dev, devOptional, optional }]) => {
    const isDependency = place !== "" && !dev && !devOptional && !optional;
    return isDependency || bundled.has(place) ? [{ place, name: nameAt(place), version }] : [];
  });
}

async function bundledPlaces(): Promise<ReadonlySet<string>> {
  const bundles = await Promise.all(lambdaNames.map(bundleLambda));
  const others = await Promise.all([bundlePlugin(), bundleAwsStore()]);
  const sources = others.flatMap((bundle) => bundle.sources);
  const files = [...bundles.flatMap(({ bytesByFile }) => Object.keys(bytesByFile)), ...sources];
  return new Set(files.flatMap((file) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
}

function nameAt(place: string): string {
  return place.replace(/^.*node_modules\//, "");
}
