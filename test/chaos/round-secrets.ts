import type { Project } from "../engine/harness/create-project.ts";
import { encrypt } from "../engine/harness/encrypt.ts";
import { secretCount } from "./model/declare.ts";
import type { Random } from "./random.ts";

/** The values that nobody may find, by description. */
export function drawSecrets(random: Random): Map<string, string> {
  const secret = (what: string, mark = "-") =>
    `${what}-${random.below(2 ** 31).toString(36)}${mark}${random.below(2 ** 31).toString(36)}`;
  return new Map([
    [apiKeyName, secret("key")],
    [passphraseName, secret("passphrase")],
    // as long and as random as the receiver demands
    [webhookTokenName, Array.from({ length: 8 }, () => secret("w")).join("-")],
    ...Array.from({ length: secretCount }, (_, index) => [configName(index), secret("token", '/"+')] as const),
  ]);
}

export const apiKeyName = "API key";
export const passphraseName = "passphrase";
export const webhookTokenName = "webhook token";

function configName(index: number): string {
  return `config ${index}`;
}

/** How a stack's file holds the secrets. */
export interface HeldSecrets {
  readonly apiKey: unknown;
  /** The secrets of configs, by index: each second one is a reference to a variable, the others are encrypted. */
  readonly configs: readonly unknown[];
  /** The secrets of configs by what stands for them: a cipher, or a reference. */
  readonly plain: ReadonlyMap<string, string>;
  /** The variables to which the references lead. */
  readonly env: NodeJS.ProcessEnv;
}

/** Encrypts the secrets for a project's file, or makes references to them. */
export async function holdSecrets(project: Project, secrets: ReadonlyMap<string, string>): Promise<HeldSecrets> {
  const values = Array.from({ length: secretCount }, (_, index) => secrets.get(configName(index)) ?? "");
  const toEncrypt = values.filter((_, index) => !isReference(index));
  const [apiKey, ...encrypted] = (await encrypt(project, secrets.get(apiKeyName) ?? "", ...toEncrypt)).map(
    (text): unknown => JSON.parse(text),
  );
  const configs = values.map((_, index) =>
    isReference(index) ? { ref: `env:${variableOf(index)}` } : encrypted[Math.floor(index / 2)],
  );
  const standIn = (held: unknown) => String(Object(held).secure ?? Object(held).ref);
  const referred = values.map((value, index) => [variableOf(index), value] as const);
  return {
    apiKey,
    configs,
    plain: new Map(configs.map((held, index) => [standIn(held), values[index] ?? ""])),
    env: Object.fromEntries(referred.filter((_, index) => isReference(index))),
  };
}

function isReference(index: number): boolean {
  return index % 2 === 1;
}

function variableOf(index: number): string {
  return `CHAOS_CONFIG_${index}`;
}
