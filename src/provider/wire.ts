import { unknownValue } from "../json/unknown.ts";

/** The engine's sentinels for values that a preview does not know yet. There is one for each type. */
const sentinels = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9", // string, and anything whose type is not known either
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);

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

/** The properties of a partial failure, with the host's `__provider`. Without it, the host could not load the resource. */
export function withProvider(properties: Wire, from: Wire): Wire {
  return { ...properties, [providerKey]: from[providerKey] };
}

/** The converted value. An unchanged value is returned itself, so that a fleet of 10,000 tenants is not copied. */
function neutral(value: unknown): unknown {
  if (typeof value === "string") return sentinels.has(value) ? unknownValue : value;
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
