import { dependentsOf } from "./state.ts";
import type { Operation } from "./steps.ts";

/** Deletes resources: dependents first, independent resources in parallel. */
export async function deleteAll(operation: Operation, keys: ReadonlySet<string>): Promise<void> {
  const { state, steps } = operation;
  const left = new Set(keys);
  const blocked = new Set<string>();
  while (left.size > 0) {
    const free = [...left].filter((key) => !dependentsOf(state, key).some((dependent) => left.has(dependent)));
    for (const key of free) left.delete(key);
    await Promise.all(
      free.map((key) => {
        if (dependentsOf(state, key).some((dependent) => blocked.has(dependent))) return blocked.add(key);
        const isDone = () => !state.has(key) || blocked.add(key);
        return steps.start(key, () => deleteOne(operation, key), { isStoppedByFailure: false }).then(isDone);
      }),
    );
    if (free.length === 0) return;
  }
}

export async function deleteOne({ state, isPreview, providerOf }: Operation, key: string): Promise<void> {
  const stored = state.get(key);
  if (stored === undefined) return;
  if (!isPreview && !stored.retainOnDelete) await providerOf(stored.type).delete(stored);
  state.delete(key);
}
