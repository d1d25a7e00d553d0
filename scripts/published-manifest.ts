import { z } from "zod";

const conditionsSchema: z.ZodType<Exports> = z.lazy(() =>
  z.union([z.string(), z.null(), z.record(z.string(), conditionsSchema)]),
);

/** A package.json as this repository has it. */
export const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), conditionsSchema),
  bin: z.record(z.string(), z.string()).optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The value of an entry of `exports`: a file, conditions, or null for what must not be imported. */
export type Exports = string | null | { readonly [condition: string]: Exports };

/**
 * The package.json to publish: entry points lead to the built JavaScript and its declarations instead of the TypeScript
 * sources, and what only a clone needs is left out.
 */
export function publishedManifest(manifest: Manifest): Manifest {
  const { scripts: _, devDependencies: __, allowScripts: ___, private: ____, ...kept } = manifest;
  return {
    ...kept,
    exports: Object.fromEntries(Object.entries(manifest.exports).map(([path, target]) => [path, builtExports(target)])),
    ...(manifest.bin && {
      bin: Object.fromEntries(Object.entries(manifest.bin).map(([name, path]) => [name, builtFile(path)])),
    }),
  };
}

function builtExports(target: Exports): Exports {
  if (target === null) return null;
  if (typeof target === "string") return isSource(target) ? builtEntry(target) : target;
  return Object.fromEntries(Object.entries(target).map(([condition, inner]) => [condition, builtExports(inner)]));
}

function builtEntry(source: string): Exports {
  // Conditions are tried in their order: types come first.
  return { types: source.replace(/\.ts$/, ".d.ts"), default: builtFile(source) };
}

function builtFile(source: string): string {
  return source.replace(/\.ts$/, ".js");
}

function isSource(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".d.ts");
}
