/**
 * Stands in a preview for a value that is not known before `up`: the neutral form of the engine's own sentinels, which
 * only the provider bridge knows.
 */
export const unknownValue: unique symbol = Symbol.for("pulumi-integration-platform.unknown");

export type Unknown = typeof unknownValue;

export function isUnknown(value: unknown): value is Unknown {
  return value === unknownValue;
}

/** Whether the value is unknown, or has an unknown part at any depth. */
export function hasUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}

/** The value at a path of keys; `undefined` where there is none. An unknown on the way is the answer. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (isUnknown(current)) return current;
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.hasOwn(current, key) ? Reflect.get(current, key) : undefined;
  }
  return current;
}
