import { formatPath } from "../api/index.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import type { Problem } from "./problems.ts";
import type { DeclaredTenant } from "./tenants.ts";
import type { KeyPath } from "./yaml-file.ts";

/**
 * The values of a tenant that stand in clear in YAML although the release's schema calls them passwords or write-only:
 * they would stand in clear in the state as well. Each with the command that makes it a secret.
 *
 * @param allowed settings that may be in clear, with all below them: `configs.api_token`.
 */
export function plaintextSecrets(
  { entry, isSecret, placeOf }: DeclaredTenant,
  schemas: Record<"configs" | "metadata", ReleaseSchema>,
  allowed: readonly string[],
): Problem[] {
  return (["configs", "metadata"] as const).flatMap((setting) => {
    const isHidden = (path: KeyPath) => schemas[setting].isHidden(path.slice(1));
    const isAllowed = (path: KeyPath) =>
      path.some((_, index) => allowed.includes(formatPath(path.slice(0, index + 1))));
    return leavesOf(entry[setting], [setting])
      .filter((path) => isHidden(path) && !isSecret(path) && !isAllowed(path))
      .map((path): Problem => {
        const place = placeOf(path);
        const isInTenantsFile = place.where !== undefined;
        const next = isInTenantsFile ? "A file of tenants cannot hold secrets: remove it there and run" : "Run";
        const command = `pulumi config set --secret --path ${quoted(`integration-platform:${configPath(place.path)}`)}`;
        const exception = `or list ${formatPath(path)} in integration-platform:allowPlaintextSecrets`;
        return { ...place, reason: `is a secret by the release's schema. ${next} \`${command}\`, ${exception}` };
      });
  });
}

/** The places of all values but of the empty ones, which tell nothing. */
function leavesOf(value: unknown, path: KeyPath): KeyPath[] {
  if (value === undefined || value === null || value === "") return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (typeof value !== "object") return [path];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

/** A place as `pulumi config set --path` takes it: `tenants.acme.configs["a.b"][0]`. */
function configPath(path: KeyPath): string {
  const parts = path.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    const text = String(key);
    return /[.[\]"]/.test(text) ? `["${text.replaceAll('"', '\\"')}"]` : `.${text}`;
  });
  return parts.join("").replace(/^\./, "");
}

/** As a shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
