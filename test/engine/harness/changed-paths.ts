import type { Preview } from "./engine-output.ts";

/** The changes in a preview: for each resource, the paths of its changed properties and the kind of change (`add`, `update`, `delete`). */
export function changedPaths({ steps }: Preview): Record<string, Record<string, string>> {
  const updates = steps.filter(({ op }) => op === "update");
  return Object.fromEntries(
    updates.map(({ urn, detailedDiff }) => [
      urn.split("::").at(-1) ?? urn,
      Object.fromEntries(Object.entries(detailedDiff ?? {}).map(([path, { kind }]) => [path, kind])),
    ]),
  );
}
