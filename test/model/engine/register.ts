import { type Declared, type Program, resourceKey } from "../program.ts";
import { deleteAll, deleteOne } from "./delete.ts";
import { inputsOf, type ResolvedInputs, referencesIn, unknownValue } from "./inputs-of.ts";
import { dependentsOf, type StoredResource } from "./state.ts";
import { areSameInputs, changedKeys, type Operation, store } from "./steps.ts";

/** The shared state of registrations. */
interface Run extends Operation {
  /** The finished resources and their outputs, which may be unknown in a preview. */
  readonly done: Map<string, StoredResource | undefined>;
  /** The existing resources that are still declared. */
  readonly kept: Set<string>;
}

/** Runs a program: checks and diffs in sequence, creates and updates in parallel, and deletes at the end. */
export async function register(operation: Operation, program: Program): Promise<void> {
  const { state, steps, command } = operation;
  const before = new Set(state.keys());
  const run: Run = { ...operation, done: new Map(), kept: new Set() };
  const waiting = [...program];
  while (waiting.length > 0 && !steps.hasFailed) {
    const ready = waiting.findIndex(({ args }) => referencesIn(args).every((key) => run.done.has(key)));
    if (ready < 0) {
      if (await steps.one()) continue;
      throw new Error("the program refers to a resource that it does not declare before");
    }
    const [declared] = waiting.splice(ready, 1);
    if (declared === undefined) continue;
    await registerOne(run, declared).catch((error: unknown) => steps.fail(resourceKey(declared), error));
  }
  await steps.all();
  if (steps.hasFailed) return;
  const gone = [...before].filter((key) => state.has(key) && !run.kept.has(key));
  await deleteAll(operation, new Set(gone.filter((key) => command.target?.includes(key) ?? true)));
}

async function registerOne(run: Run, declared: Declared): Promise<void> {
  const { state, command, done } = run;
  const key = resourceKey(declared);
  const former = [declared.name, ...(declared.aliases ?? [])]
    .map((name) => resourceKey({ ...declared, name }))
    .find((candidate) => state.has(candidate));
  if (former !== undefined) rename(run, former, declared);
  run.kept.add(key);
  const old = state.get(key);
  if (command.target?.includes(key) === false) return void done.set(key, old);

  const missing = referencesIn(declared.args).find((of) => !run.isPreview && run.done.get(of) === undefined);
  if (missing !== undefined) throw new Error(`depends on ${missing}, which is not there and was not targeted`);
  const provider = run.providerOf(declared.type);
  const given = inputsOf(
    declared,
    (of, property) => run.done.get(of)?.outputs[property] ?? unknownValue,
    run.providerName,
  );
  const isForced = old !== undefined && (command.replace ?? []).includes(key);
  const olds = old === undefined || isForced ? {} : old.inputs;
  const resolved = { ...given, inputs: await provider.check(declared.name, olds, given.inputs) };
  if (old === undefined) return begin(run, key, () => create(run, declared, resolved));

  const difference = isForced ? { changes: true, replaces: ["id"] } : await provider.diff(old, resolved.inputs);
  const isSame = areSameInputs(old.inputs, resolved.inputs);
  const isReplacedOnChange = (declared.replaceOnChanges ?? []).some(
    (property) => difference.changes !== false && changedKeys(old.inputs, resolved.inputs).includes(property),
  );
  const isChanged = (difference.changes ?? !isSame) || old.initErrors.length > 0;
  const isReplaced = isChanged && (difference.replaces.length > 0 || isReplacedOnChange);
  if (!isChanged) {
    state.set(key, { ...old, ...resolved, retainOnDelete: declared.retainOnDelete === true });
    return void done.set(key, state.get(key));
  }
  if (!isReplaced) return begin(run, key, () => update(run, declared, old, resolved));
  if (!isForced) await provider.check(declared.name, {}, given.inputs);
  const dependents = await replacedDependents(run, key);
  return begin(run, key, async () => {
    for (const dependent of [...dependents.reverse(), key]) await deleteOne(run, dependent);
    await create(run, declared, resolved);
  });
}

function begin({ steps }: Run, key: string, work: () => Promise<void>): void {
  void steps.start(key, work);
}

async function create(run: Run, declared: Declared, resolved: ResolvedInputs): Promise<void> {
  const key = resourceKey(declared);
  const { type, name } = declared;
  if (!run.isPreview) {
    const work = () => run.providerOf(type).create(name, resolved.inputs);
    await store(run, key, { type, name, id: "", ...resolved, retainOnDelete: declared.retainOnDelete === true }, work);
  }
  run.done.set(key, run.isPreview ? undefined : run.state.get(key));
}

async function update(run: Run, declared: Declared, old: StoredResource, resolved: ResolvedInputs): Promise<void> {
  const key = resourceKey(declared);
  const provider = run.providerOf(declared.type);
  if (!run.isPreview) {
    const work = () => provider.update(old, resolved.inputs);
    await store(run, key, { ...old, ...resolved, retainOnDelete: declared.retainOnDelete === true }, work, old.inputs);
  }
  run.done.set(key, run.isPreview ? undefined : run.state.get(key));
}

/** The dependents that must be replaced with a resource. The provider's diff gets unknown inputs to decide. */
async function replacedDependents(run: Run, root: string): Promise<string[]> {
  const replaced = [root];
  for (const [key, stored] of run.state) {
    const unknown = Object.entries(stored.dependencies).filter(([, keys]) =>
      keys.some((other) => replaced.includes(other)),
    );
    if (unknown.length === 0 || run.done.has(key)) continue;
    const unknownInputs = Object.fromEntries(unknown.map(([input]) => [input, unknownValue]));
    const news = { ...stored.inputs, ...unknownInputs };
    const { replaces } = await run.providerOf(stored.type).diff(stored, news);
    if (replaces.length === 0) continue;
    replaced.push(key);
  }
  return replaced.slice(1);
}

/** Renames a resource in the state and in its dependents. */
function rename({ state }: Run, former: string, declared: Declared): void {
  const key = resourceKey(declared);
  const stored = state.get(former);
  if (former === key || stored === undefined) return;
  for (const dependent of dependentsOf(state, former)) {
    const resource = state.get(dependent);
    if (resource === undefined) continue;
    const dependencies = Object.entries(resource.dependencies).map(([input, keys]) => [
      input,
      keys.map((other) => (other === former ? key : other)),
    ]);
    state.set(dependent, { ...resource, dependencies: Object.fromEntries(dependencies) });
  }
  state.delete(former);
  state.set(key, { ...stored, name: declared.name });
}
