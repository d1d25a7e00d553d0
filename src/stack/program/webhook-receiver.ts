import * as pulumi from "@pulumi/pulumi";
import { ConfigurationError } from "../../api/index.ts";
import { connectionSettings } from "../../connection/connection-settings.ts";
import type { WebhookReceiverArgs } from "../../receiver/args.ts";
import type { WebhookReceiverEntry } from "../../receiver/schema.ts";
import type { ConfigNode } from "../config/config-node.ts";
import { toInput } from "./to-input.ts";

/** A webhook receiver as the config declares it, with Pulumi secrets where the config has secrets. */
export type DeclaredReceiver = Omit<WebhookReceiverArgs, "platform"> &
  Pick<WebhookReceiverEntry, "platform" | "onEvent">;

/** The receiver of a stack that has no problems. */
export function declaredReceiver(entry: WebhookReceiverEntry, node: ConfigNode | undefined): DeclaredReceiver {
  return {
    ...entry,
    tokens: pulumi.secret(entry.tokens),
    allowedSources: toInput(entry.allowedSources, node?.part("allowedSources")),
    alarmTopicArn: toInput(entry.alarmTopicArn, node?.part("alarmTopicArn")),
  };
}

/**
 * The inputs of `WebhookReceiver`. It reads the tenants of the stack's platform with the stack's key, unless the receiver
 * declares others.
 */
export function receiverArgs(
  { platform = {}, onEvent: _, ...args }: DeclaredReceiver,
  configText: (key: string) => string | undefined,
): WebhookReceiverArgs {
  if (args.reconciliation === false) return args;
  const { baseUrl, apiKey } = platform;
  try {
    const ofStack = baseUrl && apiKey ? { baseUrl, apiKey } : connectionSettings(configText);
    return { ...args, platform: { baseUrl: baseUrl ?? ofStack.baseUrl, apiKey: apiKey ?? ofStack.apiKey } };
  } catch (error) {
    if (error instanceof ConfigurationError) throw new pulumi.RunError(error.message);
    throw error;
  }
}
