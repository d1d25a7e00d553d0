import type { Preview } from "./engine-output.ts";

/** What a preview would change: by resource, the paths of its properties and what happens there (`add`, `update`, `delete`). */
export function changedPaths({ steps }: Preview): Record<string, Record<string, string>> {
  const updates = steps.filter(({ op }) => op === "update");
  return Object.fromEntries(
    updates.map(({ urn, detailedDiff }) => [
      urn.split("::").at(-1) ?? urn,
      Object.fromEntries(Object.entries(detailedDiff ?? {}).map(([path, { kind }]) => [path, kind])),
    ]),
  );
}
