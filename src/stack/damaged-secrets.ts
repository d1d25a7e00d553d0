import type { KeyPath } from "../json/key-path.ts";
import { isSecure } from "./config-node.ts";
import { namespace } from "./config-values.ts";
import type { Problem } from "./problems.ts";
import type { YamlFile } from "./yaml-file.ts";
import type { YamlPart } from "./yaml-tree.ts";

/**
 * The encrypted values of a stack's file that no passphrase can decrypt, because a part of the cipher is missing. The engine
 * names neither the key nor the line of such a value.
 */
export function damagedSecrets({ root, positionOf }: YamlFile): Problem[] {
  const config = root?.node.parts.get("config");
  if (config === undefined) return [];
  return securePlaces(config, []).flatMap(({ path: [key, ...rest], part }) => {
    const reason = damageOf(part.node.parts.get("secure")?.node.value);
    const prefix = `${namespace}:`;
    const name = String(key);
    const path = [name.startsWith(prefix) ? name.slice(prefix.length) : name, ...rest];
    return reason === undefined ? [] : [{ path, where: positionOf(part.offset), reason }];
  });
}

interface SecurePlace {
  path: KeyPath;
  part: YamlPart;
}

function securePlaces(part: YamlPart, path: KeyPath): SecurePlace[] {
  const { value, parts } = part.node;
  if (isSecure(value)) return [{ path, part }];
  return [...parts].flatMap(([key, inner]) => securePlaces(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}

/**
 * Why a cipher cannot be decrypted. With a passphrase or a key of a cloud, Pulumi writes `v1:<nonce>:<cipher>`, in base64 and
 * with a nonce of 12 and an authentication code of 16 bytes; Pulumi Cloud's own ciphers are one base64 text.
 */
function damageOf(cipher: unknown): string | undefined {
  const advice = "set it again with `pulumi config set --secret --path`";
  const [version, nonce = "", text = "", ...more] = String(cipher).split(":");
  const isWhole =
    version === "v1"
      ? more.length === 0 && bytesOf(nonce) === 12 && (bytesOf(text) ?? 0) >= 16
      : bytesOf(String(cipher)) !== undefined && cipher !== "";
  return isWhole ? undefined : `is not a whole encrypted value: ${advice}`;
}

/** The number of bytes that a base64 text stands for. */
function bytesOf(text: string): number | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, "base64").length;
}
