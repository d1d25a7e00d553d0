/** Stands in a preview for a value that is not known before `up`. The provider bridge puts it in place of the engine's sentinels. */
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
