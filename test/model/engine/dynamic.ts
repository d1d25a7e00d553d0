import type { DiffResult } from "@pulumi/pulumi/dynamic/index.js";
import { PartlyDone, type Provider, requireNone } from "./provider.ts";
import { fromProvider, markedLike, withoutMarks } from "./secrets.ts";
import type { Properties } from "./state.ts";

type Plain = Record<string, unknown>;

/** The methods of a dynamic provider, which gets no marks of secrets. */
interface Methods {
  check(olds: Plain, news: Plain): Promise<{ failures?: { property: string; reason: string }[] }>;
  diff(id: string, olds: Plain, news: Plain): Promise<DiffResult>;
  create(news: Plain): Promise<{ id: string; outs?: object }>;
  read(id: string, state: Plain): Promise<{ id?: string; props?: object; inputs?: object }>;
  update(id: string, olds: Plain, news: Plain): Promise<{ outs?: object }>;
  delete(id: string, state: Plain): Promise<void>;
}

/** Calls a dynamic provider as the engine and Pulumi's host do: the engine marks the secrets of the responses again. */
export function dynamicProvider(methods: Methods): Provider {
  return {
    check: async (_, olds, news) => {
      const { failures = [] } = await methods.check(withoutMarks(olds), withoutMarks(news));
      requireNone(failures);
      return news;
    },
    diff: async ({ id, outputs }, news) => {
      const { changes, replaces = [] } = await methods.diff(id, withoutMarks(outputs), withoutMarks(news));
      return { ...(changes === undefined ? {} : { changes }), replaces };
    },
    create: (_, news) =>
      done(news, async () => {
        const { id, outs = {} } = await methods.create(withoutMarks(news));
        return { id, outputs: stored(outs, news) };
      }),
    read: async (resource) => {
      const { id, props = {}, inputs } = await methods.read(resource.id, withoutMarks(resource.outputs));
      if (id === undefined || id === "") return undefined;
      const outputs = stored(props, resource.outputs);
      return { id, outputs, ...(inputs && { inputs: stored(inputs, resource.inputs) }) };
    },
    update: ({ id, outputs }, news) =>
      done(news, async () => {
        const { outs = {} } = await methods.update(id, withoutMarks(outputs), withoutMarks(news));
        return { outputs: stored(outs, news) };
      }),
    delete: ({ id, outputs }) => methods.delete(id, withoutMarks(outputs)),
  };
}

/** A response as the engine stores it. */
function stored(response: object, handed: Properties): Properties {
  return { ...markedLike(fromProvider(response), handed), __provider: handed.__provider };
}

async function done<Result>(news: Properties, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { id, properties = {}, reasons = [] } = Object(error);
    if (typeof id !== "string") throw error;
    throw new PartlyDone(error, { id, outputs: stored(properties, news), reasons });
  }
}
