/**
 * Whether no property path of Pulumi can hold a key. A path escapes quotes, but not backslashes, so that a backslash at the end of
 * a key would escape the quote after it: the engine could not read `configs["D:\"]`, not even where it wrote the path itself.
 */
export function isWithoutPath(key: PropertyKey): boolean {
  return typeof key === "string" && key.endsWith("\\");
}

/** Whether a value has such a key at any depth. */
export function hasKeyWithoutPath(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(value).some(isWithoutPath) || Object.values(value).some(hasKeyWithoutPath);
}
