import { rebuildDependencies } from "./rebuild-dependencies.ts";
import { type Deployment, entryKinds, type JournalEntry, type Resource } from "./schemas.ts";

/**
 * The state after the journal entries of an update, as `JournalReplayer` in the engine's `pkg/backend/journal.go` builds it:
 * first the resources of this update in their order, then what is left of the base. Operations that have begun and not
 * ended are pending.
 *
 * @param entries in any order, possibly with repetitions.
 * @throws Error if an entry refers to a resource that neither the base nor an earlier entry has.
 */
export function replay(base: Deployment, entries: Iterable<JournalEntry>): Deployment {
  const bySequence = new Map([...entries].map((entry) => [entry.sequenceID, entry]));
  let progress = startFrom(base);
  for (const entry of [...bySequence.values()].toSorted((left, right) => left.sequenceID - right.sequenceID)) {
    if (entry.kind === entryKinds.rebuiltBaseState) {
      progress = { ...startFrom(deploymentAfter(progress)), hasRefreshed: progress.hasRefreshed };
    } else {
      apply(entry, progress);
    }
  }
  return deploymentAfter(progress);
}

interface Progress {
  base: Deployment;
  /** The resources of the base that are left, by their index. */
  old: Map<number, Resource>;
  /** The resources of this update, by the operation that added them, in the order in which the operations ended. */
  readonly added: Map<number, Resource>;
  /** The operations that have begun and not ended. */
  readonly begun: Map<number, JournalEntry>;
  /** A refresh may remove resources on which others depend. */
  hasRefreshed: boolean;
}

function startFrom(base: Deployment): Progress {
  return { base, old: resourcesOf(base), added: new Map(), begun: new Map(), hasRefreshed: false };
}

function resourcesOf({ resources = [] }: Deployment): Map<number, Resource> {
  return new Map(resources.entries());
}

function apply(entry: JournalEntry, progress: Progress): void {
  const { operationID, state } = entry;
  if (entry.isRefresh && entry.kind !== entryKinds.failure) progress.hasRefreshed = true;
  switch (entry.kind) {
    case entryKinds.begin:
      progress.begun.set(operationID, entry);
      break;
    case entryKinds.failure:
      progress.begun.delete(operationID);
      break;
    case entryKinds.success:
      progress.begun.delete(operationID);
      if (state !== undefined) progress.added.set(operationID, state);
      changeRemoved(entry, progress, () => undefined);
      change(progress.old, entry.deleteOld, (resource) => ({ ...resource, delete: true }));
      change(progress.added, entry.deleteNew, (resource) => ({ ...resource, delete: true }));
      change(progress.old, entry.pendingReplacementOld, (resource) => ({ ...resource, pendingReplacement: true }));
      change(progress.added, entry.pendingReplacementNew, (resource) => ({ ...resource, pendingReplacement: true }));
      break;
    case entryKinds.refreshSuccess:
      progress.begun.delete(operationID);
      progress.hasRefreshed = true;
      changeRemoved(entry, progress, () => state);
      break;
    case entryKinds.outputs:
      changeRemoved(entry, progress, (resource) => state ?? resource);
      break;
    case entryKinds.write:
      progress.base = entry.newSnapshot ?? {};
      progress.old = resourcesOf(progress.base);
      break;
    case entryKinds.secretsManager:
      progress.base = { ...progress.base, secrets_providers: entry.secretsProvider };
      break;
  }
}

type Change = (resource: Resource) => Resource | undefined;

function changeRemoved({ removeOld, removeNew }: JournalEntry, { old, added }: Progress, to: Change): void {
  change(old, removeOld, to);
  change(added, removeNew, to);
}

/** Changes a resource in its place; `undefined` removes it. */
function change(resources: Map<number, Resource>, key: number | null | undefined, to: Change): void {
  if (key === null || key === undefined) return;
  const resource = resources.get(key);
  if (resource === undefined) throw new Error(`a journal entry refers to a resource that does not exist: ${key}`);
  const changed = to(resource);
  if (changed === undefined) resources.delete(key);
  else resources.set(key, changed);
}

function deploymentAfter({ base, old, added, begun, hasRefreshed }: Progress): Deployment {
  const resources = [...added.values(), ...old.values()];
  const begunNow = [...begun.values()].flatMap(({ operation }) => operation ?? []);
  // Only a person can say whether an interrupted creation of an earlier update has happened.
  const begunBefore = (base.pending_operations ?? []).filter(({ type }) => type === "creating");
  const { pending_operations: _, ...rest } = base;
  const pending = [...begunNow, ...begunBefore];
  return {
    ...rest,
    resources: hasRefreshed ? rebuildDependencies(resources) : resources,
    ...(pending.length > 0 && { pending_operations: pending }),
  };
}
