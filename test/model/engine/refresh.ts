import { fromProvider, markedLike, withoutMarks } from "./secrets.ts";
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
  const { id, props = {}, inputs } = await provider.read(stored.id, withoutMarks(stored.outputs));
  if (id === undefined || id === "") {
    state.delete(key);
    return;
  }
  const { __provider } = stored.outputs;
  const read: StoredResource = {
    ...stored,
    id,
    inputs: inputs === undefined ? stored.inputs : { ...markedLike(fromProvider(inputs), stored.inputs), __provider },
    outputs: { ...markedLike(fromProvider(props), stored.outputs), __provider },
    initErrors: [],
  };
  await provider.diff(id, withoutMarks(read.outputs), withoutMarks(stored.inputs));
  state.set(key, read);
}
