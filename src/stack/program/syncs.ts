import * as pulumi from "@pulumi/pulumi";
import { digest } from "../../json/digest.ts";
import type { SyncTriggerArgs } from "../../resources/sync-trigger/resource.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { SyncEntry } from "../declarations/schema.ts";
import { toInput } from "./to-input.ts";

/** A tenant's sync as the config declares it, with Pulumi secrets where the config has secrets. */
export type DeclaredSync = WithSecrets<SyncEntry>;

type SecretParts = Pick<SyncEntry, "payload" | "when">;

type WithSecrets<Sync extends SecretParts> = Omit<Sync, "payload" | "when"> &
  Pick<SyncTriggerArgs, "payload"> & { when?: pulumi.Input<string> | undefined };

/** Makes secrets of what a sync declares as such. Only these two of its settings can be secret. */
export function syncWithSecrets<Sync extends SecretParts>(sync: Sync, node: ConfigNode | undefined): WithSecrets<Sync> {
  const { payload, when } = sync;
  return { ...sync, payload: toInput(payload, node?.part("payload")), when: toInput(when, node?.part("when")) };
}

/** What makes a sync due: a change of a declared setting that `on` names, or of the string `when`. */
export function triggersOf(
  settings: { [Setting in NonNullable<SyncEntry["on"]>[number]]?: unknown },
  { on = [], when }: Pick<DeclaredSync, "on" | "when">,
): Record<string, pulumi.Input<string>> | undefined {
  const declared = on.filter((setting) => settings[setting] !== undefined);
  const triggers: Record<string, pulumi.Input<string>> = when === undefined ? {} : { when };
  for (const setting of declared) triggers[setting] = digestOf(settings[setting]);
  return Object.keys(triggers).length === 0 ? undefined : triggers;
}

/** A digest, which changes with the value and is no copy of it. The digest of a secret is a secret. */
function digestOf(value: unknown): pulumi.Input<string> {
  if (!hasOutput(value)) return digest(value);
  const output: pulumi.Output<unknown> = pulumi.output(value);
  return output.apply(digest);
}

function hasOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasOutput);
}
