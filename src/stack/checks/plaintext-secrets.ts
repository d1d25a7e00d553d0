import { formatPath, type KeyPath } from "../../json/key-path.ts";
import { meaningOf } from "../../secrets/reference.ts";
import type { Schemas } from "../../settings/setting.ts";
import { keysEntries } from "../../settings/table.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";
import { howToMakeSecret } from "../config/set-secret-command.ts";

/**
 * The values of a tenant that are plaintext in YAML although the release's schema marks them as passwords or write-only: the
 * state would hold them as plaintext too. Each comes with the command that makes it a secret.
 *
 * @param tenant its declaration.
 * @param allowed settings that may be plaintext, with all below them: `configs.api_token`.
 */
export function plaintextSecrets(tenant: ConfigNode, schemas: Schemas, allowed: readonly string[]): Problem[] {
  return keysEntries.flatMap(([setting, { schemaOf }]) => {
    const isSecretBySchema = (path: KeyPath) => schemaOf(schemas).isHidden(path.slice(1));
    const isAllowed = (path: KeyPath) =>
      path.some((_, index) => allowed.includes(formatPath(path.slice(0, index + 1))));
    return plaintextLeaves(tenant.part(setting), [setting])
      .filter(({ path }) => isSecretBySchema(path) && !isAllowed(path))
      .map(({ path, node }) => ({
        ...node.place,
        reason: `is in clear, and the release's schema marks it as a secret. ${howToEncrypt(path, node)}`,
      }));
  });
}

/** A plaintext value of a tenant. */
export interface Leaf {
  /** Its keys in the tenant. */
  path: KeyPath;
  node: ConfigNode;
}

/** The plaintext values inside a node, without empty ones, which contain nothing, and without references to secrets. */
export function plaintextLeaves(node: ConfigNode | undefined, path: KeyPath): Leaf[] {
  const value = node?.value;
  if (node === undefined || value === null || value === "") return [];
  if (typeof value !== "object") return node.isSecret ? [] : [{ path, node }];
  const { kind } = meaningOf(value, path.slice(1).map(String));
  if (kind === "reference") return [];
  if (kind === "escape") return plaintextLeaves(node.part("literal"), path);
  const keys = Array.isArray(value) ? value.keys() : Object.keys(Object(value));
  return [...keys].flatMap((key) => plaintextLeaves(node.part(key), [...path, key]));
}

/**
 * The command that encrypts a plaintext value, and the setting that allows it.
 *
 * @param path its keys in the tenant.
 */
export function howToEncrypt(path: KeyPath, node: ConfigNode): string {
  return `${howToMakeSecret(node)}, or list ${formatPath(path)} in integration-platform:allowPlaintextSecrets`;
}
