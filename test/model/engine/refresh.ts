import type { StoredResource } from "./state.ts";
import type { Operation } from "./steps.ts";

/** Reads and diffs every resource in the state. A failure does not stop the others. */
export async function refreshAll(operation: Operation): Promise<void> {
  const { state, steps, command } = operation;
  const targets = command.target ?? [...state.keys()];
  await Promise.all(
    [...state].flatMap(([key, stored]) =>
      targets.includes(key)
        ? [steps.start(key, () => refreshOne(operation, key, stored), { isStoppedByFailure: false })]
        : [],
    ),
  );
}

async function refreshOne({ state, providerOf }: Operation, key: string, stored: StoredResource): Promise<void> {
  const provider = providerOf(stored.type);
  const found = await provider.read(stored);
  if (found === undefined) {
    state.delete(key);
    return;
  }
  const read: StoredResource = { ...stored, ...found, initErrors: [] };
  await provider.diff(read, stored.inputs);
  state.set(key, read);
}
