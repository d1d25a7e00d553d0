import pLimit from "p-limit";
import type { JsonValue } from "../json/json-value.ts";
import { partsOfRef, referenceKey, type SecretReference } from "./reference.ts";

/**
 * Returns the secret that a reference means.
 *
 * @param rest what follows the scheme and its colon.
 * @throws Error whose message says why there is no value. It must not contain the value.
 */
export type Resolver = (rest: string, options: ResolverOptions) => Promise<unknown>;

export interface ResolverOptions {
  /** The declared version; `undefined` for the current one. */
  version: string | number | undefined;
  /** Aborted when the time is over or the user cancels the operation. */
  signal: AbortSignal;
}

/** The value of a reference, or why there is none, as a clause without values. */
export type Resolution = { value: JsonValue; problem?: undefined } | { value?: undefined; problem: string };

/** The secrets of one operation. */
export interface SecretValues {
  /** The known schemes: `env`. */
  schemes: readonly string[];
  /** Resolves a reference. It asks the resolver once in an operation, also if that fails. It never throws. */
  resolve(reference: SecretReference): Promise<Resolution>;
}

export interface SecretValuesOptions {
  /** Resolvers by scheme. Each is loaded when it is first needed. */
  resolvers: Readonly<Record<string, () => Promise<Resolver>>>;
  /** Gets each value before anything else does, so that no message shows it. */
  register: (value: JsonValue) => void;
  /** Aborted when the user cancels the operation. */
  signal: AbortSignal;
  /** How long a resolver may take for one value. Default 10. */
  timeoutSeconds?: number | undefined;
}

/** How many values a resolver is asked for at the same time. */
const concurrency = 10;

/** How long the code of a resolver may take to load. */
const loadSeconds = 30;

/** After as many timeouts in a row, a resolver counts as down: thousands of references would take hours. */
const timeoutsMaximum = 3;

/** No resolvers: no reference has a value. */
export const noSecretValues: SecretValues = {
  schemes: [],
  resolve: async () => ({ problem: "this command reads no secrets" }),
};

/** Creates the secrets of one operation. */
export function createSecretValues({
  resolvers,
  register,
  signal,
  timeoutSeconds = 10,
}: SecretValuesOptions): SecretValues {
  const known = new Map<string, Promise<Resolution>>();
  const ofScheme = new Map<string, (reference: SecretReference) => Promise<Resolution>>();

  /** Asks the resolver of one scheme. */
  const askerOf = (scheme: string, load: () => Promise<Resolver>) => {
    const limit = pLimit(concurrency);
    let timeoutsInARow = 0;
    return (reference: SecretReference) =>
      limit(async (): Promise<Resolution> => {
        if (signal.aborted) return { problem: "the operation was cancelled" };
        if (timeoutsInARow >= timeoutsMaximum) {
          return { problem: `the resolver of ${scheme}: has not answered within ${timeoutSeconds} s several times` };
        }
        let timeout = AbortSignal.timeout(loadSeconds * 1000);
        try {
          const resolver = await beforeAbort(load(), AbortSignal.any([timeout, signal]));
          timeout = AbortSignal.timeout(timeoutSeconds * 1000);
          const ended = AbortSignal.any([timeout, signal]);
          const { version } = reference;
          const value = await beforeAbort(resolver(partsOfRef(reference).rest, { version, signal: ended }), ended);
          timeoutsInARow = 0;
          return checked(value, register);
        } catch (error) {
          if (signal.aborted) return { problem: "the operation was cancelled" };
          if (timeout.aborted) {
            timeoutsInARow += 1;
            return { problem: `the resolver has not answered within ${timeoutSeconds} s` };
          }
          timeoutsInARow = 0;
          return { problem: error instanceof Error ? error.message : "the resolver failed" };
        }
      });
  };

  const ask = async (reference: SecretReference): Promise<Resolution> => {
    const { scheme } = partsOfRef(reference);
    const load = Object.hasOwn(resolvers, scheme) ? resolvers[scheme] : undefined;
    if (load === undefined) return { problem: `no resolver has the scheme ${scheme}:` };
    const asker = ofScheme.get(scheme) ?? askerOf(scheme, load);
    ofScheme.set(scheme, asker);
    return asker(reference);
  };

  return {
    schemes: Object.keys(resolvers),
    resolve: (reference) => {
      const key = referenceKey(reference);
      const resolution = known.get(key) ?? ask(reference);
      known.set(key, resolution);
      return resolution;
    },
  };
}

/** The result of a resolver, unless the signal comes first: a resolver may ignore it. */
async function beforeAbort<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error("aborted"));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function checked(value: unknown, register: (value: JsonValue) => void): Resolution {
  const json = jsonOf(value);
  if (json === undefined) return { problem: "the resolver returned no JSON value" };
  register(json);
  if (json === null || json === "") return { problem: "its value is empty" };
  return { value: json };
}

/** The value as JSON can hold it; `undefined` for a function, a date and the like. */
function jsonOf(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object") return undefined;
  if (Array.isArray(value)) {
    const items = value.map(jsonOf);
    const known = items.filter((item) => item !== undefined);
    return known.length === items.length ? known : undefined;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const entries = Object.entries(value).map(([key, item]) => [key, jsonOf(item)] as const);
  return entries.some(([, item]) => item === undefined)
    ? undefined
    : Object.fromEntries(entries.flatMap(([key, item]) => (item === undefined ? [] : [[key, item]])));
}
