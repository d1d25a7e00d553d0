import type { JsonObject } from "../../json/json-value.ts";
import { asRead } from "../../json/number-sources.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { hasMask } from "../../settings/masks.ts";
import { isMerge, keysPatch } from "../../settings/patch-ways.ts";
import { type KeysName, keysEntries } from "../../settings/table.ts";
import type { Desired } from "./desired.ts";
import { describeTenant, type ObservedTenant } from "./observed-tenant.ts";

/**
 * Checks that a PATCH with only the declared keys has left the others alone, as the profile says that this platform merges. If all
 * of them are gone, the profile is wrong: they are put back.
 *
 * @throws Error that names the question of the profile.
 */
export async function requireKept(context: OperationContext, desired: Desired, tenant: ObservedTenant): Promise<void> {
  if (!tenant.isRead) return;
  for (const [name, { live }] of keysEntries) {
    const before = tenant.history.before[name];
    if (before === undefined || before === "nothing" || !isMerge(keysPatch(context.platform, name))) continue;
    const [old, now] = [live(before), live(tenant)];
    const declared = desired.settings[name] ?? {};
    const others = Object.keys(old).filter(
      (key) => !Object.hasOwn(declared, key) && desired.removed[name]?.includes(key) !== true,
    );
    if (others.length === 0 || others.some((key) => Object.hasOwn(now, key))) continue;
    const isBack = await putBack(context, tenant, name, { old, now, keys: others });
    const state = isBack
      ? "They were written back"
      : "Some of them are secrets that reads hide, so restore them in the console";
    throw new Error(
      `${describeTenant(tenant)}: a PATCH of ${name} has removed the keys that it did not have, although the profile of this ` +
        `platform says that it merges (${name}.patch). ${state}. Run integration-platform calibrate, then up again`,
    );
  }
}

/** Writes lost keys back, beside those that are there now. Returns whether reads had shown all of them. */
async function putBack(
  { client }: OperationContext,
  { id }: ObservedTenant,
  name: KeysName,
  { old, now, keys }: { old: JsonObject; now: JsonObject; keys: readonly string[] },
): Promise<boolean> {
  const sent = asRead(old);
  const visible = keys.filter((key) => !hasMask(old[key] ?? null));
  const whole = { ...asRead(now), ...Object.fromEntries(visible.map((key) => [key, sent[key] ?? old[key] ?? null])) };
  if (name === "metadata") await client.metadata.update(id, whole);
  else await client.tenants.update(id, { configs: whole });
  return visible.length === keys.length;
}
