import { unknownValue } from "../json/unknown.ts";
import { isUnknownSentinel } from "./unknown-sentinels.ts";

const providerKey = "__provider";

/** A resource's properties as the dynamic provider host sends them. */
export type Wire = Record<string, unknown>;

/**
 * The properties without the host's `__provider`, with {@link unknownValue} for each of the engine's sentinels, and with 0
 * for -0. JSON has no -0, so the platform would return 0, which would differ from the input.
 */
export function fromWire(properties: Wire): Wire {
  const { [providerKey]: _, ...own } = properties;
  return { ...own, ...changed(own) };
}

/**
 * Whether the native provider wrote the state, and the resource has moved back since. The state needs an update, or the host
 * could not load the resource for a refresh or a deletion.
 */
export function isStateOfNative(state: Wire): boolean {
  return !Object.hasOwn(state, providerKey);
}

/** The properties of a partial failure, with the host's `__provider`. Without it, the host could not load the resource. */
export function withProvider(properties: Wire, from: Wire): Wire {
  return { ...properties, [providerKey]: from[providerKey] };
}

/** The converted value. An unchanged value is returned itself, so that a fleet of 10,000 tenants is not copied. */
function neutral(value: unknown): unknown {
  if (typeof value === "string") return isUnknownSentinel(value) ? unknownValue : value;
  if (value === 0) return 0;
  if (typeof value !== "object" || value === null) return value;
  const change = changed(value);
  if (Object.keys(change).length === 0) return value;
  return Array.isArray(value) ? Object.assign([...value], change) : { ...value, ...change };
}

/** The properties that conversion changes, with their new values. */
function changed(properties: object): Wire {
  const entries = Object.entries(properties).map(([key, value]): [string, unknown, unknown] => [
    key,
    value,
    neutral(value),
  ]);
  return Object.fromEntries(
    entries.flatMap(([key, before, after]) => (Object.is(before, after) ? [] : [[key, after]])),
  );
}
