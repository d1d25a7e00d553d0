import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { damagedSecrets, secretsOf } from "../src/stack/config/damaged-secrets.ts";
import { engineProblems } from "../src/stack/config/engine-problems.ts";
import { layoutProblems } from "../src/stack/config/layout-problems.ts";
import { type Problem, problemLines } from "../src/stack/config/problems.ts";
import { projectOf } from "../src/stack/yaml/project.ts";
import { readYamlFile } from "../src/stack/yaml/yaml-file.ts";

/**
 * What is wrong with a stack's file that the Pulumi CLI would refuse without a place, or ignore, as lines for the terminal.
 * This takes no passphrase.
 *
 * @param path of the stack's file.
 */
export function fileProblems(path: string, projectDirectory = dirname(path)): string[] {
  const file = readYamlFile(path, basename(path), "engine");
  const project = projectOf(projectDirectory);
  const unusable = [...file.problems, ...(project.file?.problems ?? [])];
  if (unusable.length > 0) return unusable.map(({ where, reason }) => `${where}: ${reason}`);
  return problemLines([...engineProblems(file, project), ...layoutProblems(file, project), ...damagedSecrets(file)]);
}

/**
 * Why the secrets of a file cannot be decrypted with the passphrase of the environment. The key of a passphrase takes half a
 * second of computing, so this is for a command that has failed.
 */
export function decryptionProblems(path: string, env: NodeJS.ProcessEnv): string[] {
  const file = readYamlFile(path, basename(path));
  const salt = file.root?.node.parts.get("encryptionsalt");
  const passphrase = passphraseOf(env);
  if (salt === undefined || passphrase === undefined) return [];
  const [, saltText, check] = /^v1:([^:]+):(.+)$/.exec(String(salt.node.value)) ?? [];
  if (saltText === undefined || check === undefined) return []; // The CLI says that the salt is damaged.
  const key = pbkdf2Sync(passphrase, Buffer.from(saltText, "base64"), 1_000_000, 32, "sha256");
  const secrets = secretsOf(file);
  if (!isDecryptable(check, key)) {
    const instead = secrets.length === 0 ? ", or remove this line, because the file has no secrets" : "";
    const reason =
      "the passphrase is not the one that encrypted this file's secrets: " +
      `set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to that one${instead}`;
    return problemLines([{ path: ["encryptionsalt"], where: file.positionOf(salt.offset), reason }]);
  }
  const damaged = secrets.filter(({ cipher }) => !isDecryptable(cipher, key));
  const problems = damaged.map(({ path, where, command }): Problem => {
    const reason = `cannot be decrypted, because it is damaged or from another stack: set it again with \`${command}\``;
    return { path, where, reason };
  });
  return problemLines(problems);
}

function passphraseOf(env: NodeJS.ProcessEnv): string | undefined {
  const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
  if (passphrase || !file) return passphrase;
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined; // The CLI says so.
  }
}

const none = Buffer.alloc(0);

/** Whether the key decrypts a text of the CLI: a nonce, and a cipher that ends with its tag. */
function isDecryptable(cipher: string, key: Buffer): boolean {
  const [, nonce = none, text = none] = cipher.split(":").map((part) => Buffer.from(part, "base64"));
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
    decipher.setAuthTag(text.subarray(-16));
    decipher.update(text.subarray(0, -16));
    decipher.final();
    return true;
  } catch {
    return false;
  }
}
