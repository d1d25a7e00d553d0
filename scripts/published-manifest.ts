import { z } from "zod";
import { bin, entryPoint, entryPoints, typesForNode10 } from "./entry-points.ts";

/** A package.json as this repository has it. */
export const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  engines: z.looseObject({ node: z.string() }),
  /** Files by the paths under which programs import them. */
  exports: z.record(z.string(), z.string()),
  bin: z.record(z.string(), z.string()).optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/**
 * The package.json to publish: entry points lead to the built JavaScript and its declarations instead of the TypeScript
 * sources, and what only a clone needs is left out.
 *
 * @param repositoryUrl where the sources are. npm accepts a provenance only if it names the same repository.
 */
export function publishedManifest(manifest: Manifest, repositoryUrl?: string): object {
  const { scripts: _, devDependencies: __, allowScripts: ___, exports, bin: commands, ...kept } = manifest;
  const main = entryPoint(exports["."] ?? "");
  return {
    ...kept,
    ...(repositoryUrl !== undefined && linksTo(repositoryUrl)),
    publishConfig: { access: "public", provenance: true },
    ...(main && { main: main.commonjs, types: main.commonjsTypes }),
    typesVersions: { "*": typesForNode10(entryPoints(exports)) },
    exports: mapValues(exports, conditions),
    ...(commands && { bin: mapValues(commands, bin) }),
  };
}

function linksTo(url: string): object {
  return { repository: { type: "git", url: `git+${url}.git` }, homepage: `${url}#readme`, bugs: `${url}/issues` };
}

function conditions(file: string): string | object {
  const entry = entryPoint(file);
  if (entry === undefined) return file;
  // Conditions are tried in their order: types come first.
  return {
    import: { types: entry.types, default: entry.module },
    require: { types: entry.commonjsTypes, default: entry.commonjs },
  };
}

function mapValues<From, To>(record: Record<string, From>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}
