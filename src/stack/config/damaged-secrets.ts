import type { KeyPath } from "../../json/key-path.ts";
import type { YamlFile } from "../yaml/yaml-file.ts";
import type { YamlPart } from "../yaml/yaml-tree.ts";
import { isSecure, type Place } from "./config-node.ts";
import { namespace } from "./config-values.ts";
import type { Problem } from "./problems.ts";
import { setSecretCommand } from "./set-secret-command.ts";

/** An encrypted value of a stack's file. */
export interface EncryptedValue extends Place {
  cipher: string;
  /** The command that sets it again. */
  command: string;
}

/**
 * The encrypted values of a stack's file that no passphrase can decrypt, because a part of the cipher is missing. The engine
 * names neither the key nor the line of such a value.
 */
export function damagedSecrets(file: YamlFile): Problem[] {
  const damaged = secretsOf(file).filter(({ cipher }) => !isWhole(cipher));
  return damaged.map(({ path, where, command }) => ({
    path,
    where,
    reason: `is not a whole encrypted value: set it again with \`${command}\``,
  }));
}

/** The encrypted values of a stack's file. */
export function secretsOf({ root, positionOf }: YamlFile): EncryptedValue[] {
  const config = root?.node.parts.get("config");
  if (config === undefined) return [];
  return securePlaces(config, []).map(({ path, part }) => {
    const [key = "", ...rest] = path;
    const prefix = `${namespace}:`;
    const name = String(key);
    return {
      path: [name.startsWith(prefix) ? name.slice(prefix.length) : name, ...rest],
      where: positionOf(part.offset),
      cipher: String(part.node.parts.get("secure")?.node.value),
      command: setSecretCommand(path),
    };
  });
}

function securePlaces(part: YamlPart, path: KeyPath): { path: KeyPath; part: YamlPart }[] {
  const { value, parts } = part.node;
  if (isSecure(value)) return [{ path, part }];
  return [...parts].flatMap(([key, inner]) => securePlaces(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}

/**
 * Whether a cipher has all of its parts. With a passphrase or a key of a cloud, Pulumi writes `v1:<nonce>:<cipher>`, in
 * base64 and with a nonce of 12 and an authentication code of 16 bytes; Pulumi Cloud's own ciphers are one base64 text.
 */
function isWhole(cipher: string): boolean {
  const [version, nonce = "", text = "", ...more] = cipher.split(":");
  return version === "v1"
    ? more.length === 0 && bytesOf(nonce) === 12 && (bytesOf(text) ?? 0) >= 16
    : bytesOf(cipher) !== undefined && cipher !== "";
}

/** The number of bytes that a base64 text stands for. */
function bytesOf(text: string): number | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, "base64").length;
}
