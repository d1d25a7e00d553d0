import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { IncompleteError, type Lifecycle } from "../resources/lifecycle.ts";
import type { Platform } from "../resources/platform.ts";
import { type ConfigureRequest, configure } from "./connect.ts";
import { freeAround } from "./memory.ts";
import { fromWire, type Wire, withProvider, withSecrets } from "./wire.ts";

/** A resource's lifecycle and the shapes of what the engine stores of it. */
interface Resource<Inputs, State> {
  lifecycle: (platform: Platform) => Lifecycle<Inputs, State>;
  inputsSchema: z.ZodType<Inputs>;
  stateSchema: z.ZodType<State>;
  /** What the lifecycle works on; called at the first call of the engine. */
  connect: () => Platform;
}

/**
 * Speaks Pulumi's dynamic provider protocol on one side and a lifecycle on the other. The engine's sentinels, the
 * host's own property and the form of a partial failure are known here and nowhere else.
 */
export function dynamicProvider<Inputs extends object, State extends object>({
  lifecycle,
  inputsSchema,
  stateSchema,
  connect,
}: Resource<Inputs, State>) {
  let connected: Lifecycle<Inputs, State> | undefined;
  const on = () => {
    connected ??= lifecycle(connect());
    return connected;
  };

  return {
    configure: async (request: ConfigureRequest): Promise<void> => configure(request),

    check: (olds: Wire, news: Wire): Promise<pulumi.dynamic.CheckResult> =>
      plainErrors(async () => {
        const old = fromWire(olds);
        const failures = await on().check(fromWire(news), Object.keys(old).length === 0 ? undefined : old);
        return { inputs: news, failures };
      }),

    diff: (id: string, olds: Wire, news: Wire): Promise<pulumi.dynamic.DiffResult> =>
      plainErrors(async () => {
        const difference = await on().diff(id, stateSchema.parse(fromWire(olds)), fromWire(news));
        const { isChanged, isUnfinished = false, replaces = [] } = difference;
        // without a verdict the engine compares the inputs itself, and shows what changes by its path
        return { ...(isChanged ? {} : { changes: isUnfinished }), replaces, deleteBeforeReplace: true };
      }),

    create: (properties: Wire): Promise<pulumi.dynamic.CreateResult> =>
      partialFailures({ properties }, async () => {
        const { id, state } = await on().create(inputsSchema.parse(fromWire(properties)));
        return { id, outs: state };
      }),

    read: (id: string, properties: Wire): Promise<Partial<pulumi.dynamic.ReadResult>> =>
      plainErrors(async () => {
        const found = await on().read(id, stateSchema.parse(fromWire(properties)));
        return found === undefined
          ? { id: "", props: {} }
          : { id, props: found.state, inputs: withSecrets(found.inputs) };
      }),

    update: (id: string, olds: Wire, news: Wire): Promise<pulumi.dynamic.UpdateResult> =>
      partialFailures({ before: olds, properties: news }, async () => {
        const state = stateSchema.parse(fromWire(olds));
        return { outs: await on().update(id, state, inputsSchema.parse(fromWire(news))) };
      }),

    delete: (id: string, properties: Wire): Promise<void> =>
      plainErrors(() => on().delete(id, stateSchema.parse(fromWire(properties)))),
  };
}

/** The host prints the stack of what is thrown; to a user it says nothing that the message does not. */
async function plainErrors<T>(work: () => Promise<T>, errorOf: (error: unknown) => Error = withoutStack): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw errorOf(error);
  } finally {
    freeAround();
  }
}

function partialFailures<T>(
  { before, properties }: { before?: Wire; properties: Wire },
  work: () => Promise<T>,
): Promise<T> {
  return plainErrors(work, (error) => {
    if (!(error instanceof IncompleteError)) return withoutStack(error);
    return Object.assign(withoutStack(error), {
      id: error.id,
      properties: withProvider(withSecrets(error.state, before), properties),
      reasons: [error.message],
    });
  });
}

function withoutStack(error: unknown): Error {
  const plain = new Error(error instanceof Error ? error.message : String(error));
  plain.stack = "";
  return plain;
}
