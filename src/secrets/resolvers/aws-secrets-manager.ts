import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Resolver } from "../secret-values.ts";
import { dividedAtKey, valueInJson } from "./json-key.ts";

/**
 * `aws-secretsmanager:NAME_OR_ARN` or `...#json.key`: a secret of AWS Secrets Manager. The version is the id or the stage of
 * a version; default `AWSCURRENT`. The environment says region and credentials, as for any AWS SDK.
 *
 * This is the only file that imports the SDK, which is large: import it only when a reference needs it.
 */
export function awsSecretsManagerResolver(): Resolver {
  const clients = new Map<string, SecretsManagerClient>();
  const clientOf = (region: string) => {
    const client = clients.get(region) ?? new SecretsManagerClient(region === "" ? {} : { region });
    clients.set(region, client);
    return client;
  };
  return async (rest, { version, signal }) => {
    const { name, key } = dividedAtKey(rest);
    const command = new GetSecretValueCommand({ SecretId: name, ...versionOf(version) });
    const { SecretString: text } = await clientOf(regionOf(name))
      .send(command, { abortSignal: signal })
      .catch((error: unknown) => {
        throw new Error(`AWS Secrets Manager has refused it${reasonOf(error)}`, { cause: error });
      });
    if (text === undefined) throw new Error("it is a binary secret, which no config can hold");
    return key === undefined ? text : valueInJson(text, key);
  };
}

/** The region in an ARN; empty for a name. It becomes a part of the host to which the request is sent. */
function regionOf(name: string): string {
  if (!name.startsWith("arn:")) return "";
  const [, region] = /^arn:[^:]*:secretsmanager:([a-z]+(?:-[a-z\d]+)+):/.exec(name) ?? [];
  if (region === undefined)
    throw new Error("an ARN of a secret is like arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME");
  return region;
}

/** A version's id is a UUID or at least as long as one; stages are `AWSCURRENT`, `AWSPREVIOUS` and own names. */
function versionOf(version: string | number | undefined) {
  if (version === undefined) return {};
  const text = String(version);
  return /^[\da-f-]{32,64}$/i.test(text) ? { VersionId: text } : { VersionStage: text };
}

/** The error's name and, where AWS writes it, its message, which names the secret but not its value. */
function reasonOf(error: unknown): string {
  const { name = "", message = "" } = Object(error);
  return ` (${[String(name), String(message)].filter(Boolean).join(": ")})`;
}
