import * as pulumi from "@pulumi/pulumi";
import { ConfigurationError } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import type { WebhookReceiverArgs } from "../receiver/resource.ts";
import type { WebhookReceiverEntry } from "../receiver/schema.ts";
import type { Problem } from "./problems.ts";
import { withSecrets } from "./secrets.ts";
import type { StackFile } from "./stack-file.ts";

/** A receiver as a stack's YAML declares it, with its secrets as such. */
export type DeclaredReceiver = Omit<WebhookReceiverArgs, "reconciliation"> &
  Pick<WebhookReceiverEntry, "reconciliation">;

/** Tokens that stand in the file as they are: whoever reads the repository could send events. */
export function tokensInClear(entry: unknown, file: StackFile | undefined): Problem[] {
  const tokens: unknown = Object(entry).tokens;
  if (file === undefined || !Array.isArray(tokens)) return [];
  const paths = tokens.map((_, index) => ["webhookReceiver", "tokens", index]);
  const reason = "must be a secret: pulumi config set --secret --path";
  const isInClear = (path: readonly PropertyKey[]) =>
    !path.some((_, length) => file.isSecret(path.slice(0, length + 1)));
  return paths.filter(isInClear).map((path) => ({ path, reason: `${reason} "integration-platform:${named(path)}"` }));
}

/** A receiver whose config is in order. */
export function declaredReceiver(entry: WebhookReceiverEntry, file: StackFile | undefined): DeclaredReceiver {
  const isSecret = (path: readonly string[]) => file?.isSecret(["webhookReceiver", ...path]) ?? false;
  return {
    ...entry,
    tokens: pulumi.secret(entry.tokens),
    allowedSources: withSecrets(entry.allowedSources, ["allowedSources"], isSecret),
    alarmTopicArn: withSecrets(entry.alarmTopicArn, ["alarmTopicArn"], isSecret),
  };
}

/**
 * What the receiver's component takes: the platform that it compares with is the stack's, and so is the key, unless the
 * receiver has ones of its own.
 */
export function receiverArgs(
  { reconciliation = {}, ...args }: DeclaredReceiver,
  setting: (key: string) => string | undefined,
): WebhookReceiverArgs {
  if (reconciliation === false) return args;
  const { baseUrl, apiKey, ...rest } = reconciliation;
  try {
    const stacks = baseUrl && apiKey ? { baseUrl, apiKey } : connectionSettings(setting);
    return {
      ...args,
      reconciliation: { ...rest, baseUrl: baseUrl ?? stacks.baseUrl, apiKey: apiKey ?? stacks.apiKey },
    };
  } catch (error) {
    if (error instanceof ConfigurationError) throw new pulumi.RunError(error.message);
    throw error;
  }
}

function named([key, list, index]: readonly PropertyKey[]): string {
  return `${String(key)}.${String(list)}[${String(index)}]`;
}
