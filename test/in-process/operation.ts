import { isDeepStrictEqual } from "node:util";
import type resource from "@pulumi/pulumi/proto/resource_pb.js";
import type { ResourceState } from "../engine/harness/engine-output.ts";
import { unknownText } from "../provider/staged-host.ts";
import { fromStruct, inClear, isChangedAt, markedAt, type Properties } from "./properties.ts";
import { openProviders, PartOfIt, type ProviderOptions, type Stored } from "./providers.ts";

/** A resource of the state. */
export interface StoredResource extends Stored {
  type: string;
  isCustom: boolean;
  parent: string;
  dependencies: string[];
  /** The resources on which each input depends. */
  propertyDependencies: Record<string, string[]>;
  isProtected: boolean;
  isRetained: boolean;
  initErrors: string[];
}

/** What an engine stores of a stack, in the order in which the resources were registered. */
export interface State {
  resources: ReadonlyMap<string, StoredResource>;
  /** What was replaced, and is not deleted yet. */
  replaced: readonly StoredResource[];
}

/** The state without a resource, as `pulumi state delete` leaves it. */
export function withoutResource({ resources, replaced }: State, urn: string): State {
  if (!resources.has(urn)) throw new Error(`the state has no ${urn}`);
  return { resources: new Map([...resources].filter(([one]) => one !== urn)), replaced };
}

/** The state with another name of a resource, as `pulumi state rename` leaves it. */
export function withRenamed({ resources, replaced }: State, urn: string, name: string): State {
  const renamed = [...urn.split("::").slice(0, 3), name].join("::");
  if (!resources.has(urn) || resources.has(renamed)) throw new Error(`${urn} cannot be renamed to ${name}`);
  const now = (one: string) => (one === urn ? renamed : one);
  const all = [...resources.values()].map((one) => ({
    ...one,
    urn: now(one.urn),
    parent: now(one.parent),
    dependencies: one.dependencies.map(now),
    propertyDependencies: Object.fromEntries(
      Object.entries(one.propertyDependencies).map(([key, urns]) => [key, urns.map(now)]),
    ),
  }));
  return { resources: new Map(all.map((one) => [one.urn, one])), replaced };
}

/** The state with the ids, inputs and outputs of an export that was edited. It must have no secrets. */
export function withEdits({ resources, replaced }: State, edited: readonly ResourceState[]): State {
  const all = [...resources.values()].map((one) => {
    const { id = "", inputs, outputs } = edited.find(({ urn }) => urn === one.urn) ?? {};
    return { ...one, id, inputs: plain(inputs), outputs: plain(outputs) };
  });
  return { resources: new Map(all.map((one) => [one.urn, one])), replaced };
}

function plain(properties: object | undefined): Properties {
  const text = JSON.stringify(properties ?? {});
  if (text.includes("ciphertext")) throw new Error("the in-process engine imports no secrets");
  return JSON.parse(text);
}

export interface OperationOptions extends ProviderOptions {
  urnOf(type: string, name: string, parent: string): string;
  isPreview: boolean;
  /** The URNs of the resources to replace. */
  replaced?: ReadonlySet<string>;
  /** The URNs of the resources to which the operation is limited. Default: all. */
  targets?: ReadonlySet<string>;
}

export type Step = "same" | "create" | "update" | "replace" | "delete";

/** What the program gets of a resource that it registers. */
interface Registered {
  urn: string;
  id: string;
  outputs: Properties;
}

/**
 * One operation of the engine on the resources of a stack: it compares what the program registers with the state, and lets the
 * providers do what is to be done. Like the engine, it begins nothing more once something has failed.
 */
export function beginOperation({ resources, replaced: left }: State, options: OperationOptions) {
  const { isPreview, log, urnOf, replaced = new Set(), targets } = options;
  const providerOf = openProviders(options);
  const olds = new Map(resources);
  const news = new Map<string, StoredResource>();
  const pending = [...left];
  const steps: { op: Step; urn: string }[] = [];
  const refreshSteps: typeof steps = [];
  /** Deleted before they are created again. */
  const gone = new Set<string>();
  let hasFailed = false;
  const inFlight = new Set<Promise<unknown>>();

  const isMeant = (urn: string) => targets === undefined || targets.has(urn);
  const fail = (urn: string, message: string) => {
    hasFailed = true;
    log("error", message, urn);
  };

  /** Begins a step, unless another one has failed, and keeps what was done if that is only a part. */
  const step = async <T>(one: StoredResource, work: () => Promise<T>): Promise<T> => {
    if (hasFailed) throw new Stopped();
    try {
      return await work();
    } catch (error) {
      if (error instanceof PartOfIt) {
        const { id, outputs, reasons: initErrors } = error;
        news.set(one.urn, { ...one, id, outputs, initErrors, isReadFirst: one.isReadFirst ?? false });
        olds.delete(one.urn);
      }
      throw error;
    }
  };

  /** Reads a resource. One that is gone is no longer in the state. */
  const refreshed = async (old: StoredResource): Promise<StoredResource | undefined> => {
    const found = await providerOf(old.type).read(old);
    return found && { ...old, ...found, initErrors: [] };
  };

  const remove = async (one: StoredResource) => {
    if (one.isProtected) throw new Error(`${one.urn} cannot be deleted: it is protected`);
    if (isPreview || one.isRetained || !one.isCustom) return;
    await providerOf(one.type).delete(one);
  };

  /** The resources that must be replaced with another one: what they have of it can only be set at their creation. */
  const replacedWith = async ({ urn: root }: StoredResource): Promise<StoredResource[]> => {
    const found: StoredResource[] = [];
    const roots = new Set([root]);
    for (const one of olds.values()) {
      const keys = Object.entries(one.propertyDependencies).flatMap(([key, urns]) =>
        urns.some((urn) => roots.has(urn)) ? [key] : [],
      );
      if (!one.isCustom || keys.length === 0) continue;
      const inputs = { ...one.inputs, ...Object.fromEntries(keys.map((key) => [key, unknownText])) };
      if ((await providerOf(one.type).diff(one, inputs)).replaces.length === 0) continue;
      found.unshift(one);
      roots.add(one.urn);
    }
    return found;
  };

  const registerCustom = async (
    one: StoredResource,
    request: resource.RegisterResourceRequest,
    old: StoredResource | undefined,
  ): Promise<StoredResource> => {
    const provider = providerOf(one.type);
    const check = async (before: Properties) => {
      const { inputs, failures } = await provider.check(one.urn, before, one.inputs);
      for (const reason of failures) {
        fail(one.urn, `${one.type} resource '${request.getName()}' has a problem: ${reason}`);
      }
      if (failures.length > 0) throw new Stopped();
      return inputs;
    };
    const inputs = await check(old?.inputs ?? {});
    const marked = (outputs: Properties) => markedAt(outputs, request.getAdditionalsecretoutputsList());
    const create = async (op: Step, declared: Properties): Promise<StoredResource> => {
      steps.push({ op, urn: one.urn });
      const whole = { ...one, inputs: declared };
      const made = await step(whole, () => provider.create(one.urn, declared, isPreview));
      return { ...whole, ...made, outputs: marked(made.outputs) };
    };
    if (old === undefined) return create(gone.has(one.urn) ? "replace" : "create", inputs);

    const difference = await provider.diff(old, inputs);
    const { isDeletedFirst } = difference;
    const before = old.inputs;
    const isOther = !isDeepStrictEqual(inClear(before), inClear(inputs));
    const isForced =
      replaced.has(one.urn) || request.getReplaceonchangesList().some((path) => isChangedAt(path, before, inputs));
    if (difference.replaces.length > 0 || isForced) {
      const isBefore = request.getDeletebeforereplacedefined() ? request.getDeletebeforereplace() : isDeletedFirst;
      const anew = await check({});
      if (isBefore) {
        for (const dependent of [...(await replacedWith(old)), old]) {
          if (dependent !== old && !isMeant(dependent.urn)) continue;
          if (hasFailed) throw new Stopped();
          await remove(dependent);
          olds.delete(dependent.urn);
          gone.add(dependent.urn);
        }
        return create("replace", anew);
      }
      const made = await create("replace", anew);
      pending.push(old);
      return made;
    }
    const stored = { ...one, inputs, id: old.id, outputs: old.outputs, isReadFirst: old.isReadFirst ?? false };
    if (!(difference.isChanged ?? isOther) && old.initErrors.length === 0) {
      steps.push({ op: "same", urn: one.urn });
      return stored;
    }
    steps.push({ op: "update", urn: one.urn });
    const whole = old;
    return { ...stored, outputs: marked(await step(stored, () => provider.update(whole, inputs, isPreview))) };
  };

  const register = async (request: resource.RegisterResourceRequest): Promise<Registered> => {
    const type = request.getType();
    const urn = urnOf(type, request.getName(), request.getParent());
    const unsupported = [
      ...(request.getIgnorechangesList().length > 0 ? ["ignoreChanges"] : []),
      ...(request.getImportid() === "" ? [] : ["import"]),
      ...(request.getDeletedwith() === "" ? [] : ["deletedWith"]),
      ...(request.getCustom() && request.getProvider() !== "" ? ["provider"] : []),
    ];
    if (unsupported.length > 0) throw new Error(`the in-process engine does not know ${unsupported.join(" and ")}`);
    const known = [urn, ...request.getAliasurnsList()].find((one) => olds.has(one)) ?? urn;
    const old = olds.get(known);
    const one: StoredResource = {
      urn,
      type,
      isCustom: request.getCustom(),
      parent: request.getParent(),
      id: "",
      inputs: fromStruct(request.getObject()),
      outputs: {},
      dependencies: request.getDependenciesList(),
      propertyDependencies: Object.fromEntries(
        [...request.getPropertydependenciesMap().entries()].map(([key, urns]) => [key, urns.getUrnsList()]),
      ),
      isProtected: request.getProtect() ?? false,
      isRetained: request.getRetainondelete() ?? false,
      initErrors: [],
    };
    if (!one.isCustom) {
      steps.push({ op: old === undefined ? "create" : "same", urn });
      olds.delete(known);
      news.set(urn, { ...one, outputs: one.inputs });
      return one;
    }
    if (!isMeant(urn)) {
      if (old === undefined) throw new Error(`${urn} is not among the targets, and does not exist yet`);
      olds.delete(known);
      news.set(urn, old);
      return old;
    }
    const registered = await registerCustom(one, request, old && { ...old, urn });
    olds.delete(known);
    news.set(urn, registered);
    return registered;
  };

  /** Deletes resources, those first on which no other one depends. */
  const removeAll = async (all: Iterable<StoredResource>, forget: (one: StoredResource) => void) => {
    const rest = new Set(all);
    while (rest.size > 0 && !hasFailed) {
      const needed = new Set([...rest].flatMap(({ dependencies, parent }) => [...dependencies, parent]));
      const free = [...rest].filter(({ urn }) => !needed.has(urn));
      await Promise.all(
        (free.length > 0 ? free : [...rest]).map(async (one) => {
          rest.delete(one);
          try {
            await remove(one);
            forget(one);
          } catch (error) {
            fail(one.urn, messageOf(error));
          }
        }),
      );
    }
  };

  return {
    /** Never settles once something has failed: then the engine answers no program any more. */
    register: (request: resource.RegisterResourceRequest): Promise<Registered> =>
      new Promise((resolve) => {
        if (hasFailed) return;
        const work = register(request).then(
          (registered) => hasFailed || resolve(registered),
          (error) => error instanceof Stopped || fail("", messageOf(error)),
        );
        inFlight.add(work);
      }),
    /** Resolves once all that has begun has ended. */
    settled: async (): Promise<void> => void (await Promise.all(inFlight)),
    registerOutputs: (urn: string, outputs: Properties) => {
      const one = news.get(urn);
      if (one !== undefined) news.set(urn, { ...one, outputs });
    },
    /** Reads all resources, or those of which the provider wants it before each `up` and `destroy`. */
    refresh: async (which: "all" | "read first"): Promise<void> => {
      await Promise.all(
        [...olds].map(async ([urn, old]) => {
          if (!old.isCustom || !isMeant(urn) || (which === "read first" && !old.isReadFirst)) return;
          try {
            const now = await refreshed(old);
            const isSame = isDeepStrictEqual(inClear(old.outputs), inClear(now?.outputs ?? {}));
            refreshSteps.push({ op: now === undefined ? "delete" : isSame ? "same" : "update", urn });
            if (now === undefined) olds.delete(urn);
            else olds.set(urn, now);
          } catch (error) {
            if (error instanceof PartOfIt) {
              olds.set(urn, { ...old, outputs: error.outputs, initErrors: error.reasons });
              log("warning", error.message, urn);
            } else fail(urn, messageOf(error));
          }
        }),
      );
    },
    /** Deletes what the program has not registered. */
    removeRest: async (): Promise<void> => {
      const unmeant = new Map([...olds].filter(([urn]) => !isMeant(urn)));
      const rest = [...olds.values()].filter(({ urn }) => isMeant(urn));
      if (targets === undefined) {
        await removeAll(pending, (one) => pending.splice(pending.indexOf(one), 1));
      }
      for (const { urn, isCustom } of rest) if (isCustom) steps.push({ op: "delete", urn });
      await removeAll(rest, ({ urn }) => olds.delete(urn));
      for (const [urn, one] of unmeant) olds.set(urn, one);
    },
    fail,
    refreshSteps,
    hasFailed: () => hasFailed,
    steps,
    state: (): State => ({ resources: new Map([...news, ...olds]), replaced: pending }),
  };
}

/** Why a resource is left as it is: another one has failed, or its failure was shown already. */
class Stopped extends Error {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
