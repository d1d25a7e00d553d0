import * as pulumi from "@pulumi/pulumi";

/** A path of keys inside a tenant's entry: `["configs", "api_token"]`. */
type EntryPath = readonly [string, ...string[]];

/** A copy of a value with those of its parts as Pulumi secrets that are, and the rest in clear. */
export function withSecrets<T>(
  value: T | undefined,
  path: EntryPath,
  isSecret: (path: EntryPath) => boolean,
): pulumi.Input<T> | undefined;
export function withSecrets(value: unknown, path: EntryPath, isSecret: (path: EntryPath) => boolean): unknown {
  if (value === undefined) return undefined;
  if (isSecret(path)) return pulumi.secret(value);
  const deeper = (item: unknown, key: string | number) => withSecrets(item, [...path, String(key)], isSecret);
  if (Array.isArray(value)) return value.map(deeper);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deeper(item, key)]));
}
