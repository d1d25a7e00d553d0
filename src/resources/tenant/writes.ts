import { type JsonObject, type Tenant, type TenantPatch, ValidationError } from "../../api/index.ts";
import { partOf, wholeObject, withNulls } from "../declared-keys.ts";
import type { Platform } from "../platform.ts";
import type { ResolvedRelease } from "./release.ts";
import { noSchedule } from "./schedule.ts";
import { type Desired, type Observed, stillThere } from "./settings.ts";

/** How a key that is no longer declared is taken away: the specification names no way, so both are tried, in this order. */
export type Removal = "leave out" | "send null";

/** The fields of a PATCH that bring about what is unsettled, and no others. Resuming a tenant comes last, on its own. */
export function settingsPatch(
  desired: Desired,
  paths: readonly string[],
  observed: Observed,
  removal: Removal,
): TenantPatch {
  const { name, schedule, paused } = desired.settings;
  const patch: TenantPatch = {};
  if (paths.includes("name")) patch.name = name;
  if (paths.includes("schedule") && schedule !== undefined) {
    patch.user_schedule = schedule === noSchedule ? null : schedule;
  }
  if (paths.includes("release") && desired.release !== undefined) Object.assign(patch, releaseFields(desired.release));
  if (paths.some((path) => path.startsWith("configs.")))
    patch.configs = keysToSend(desired, observed, "configs", removal);
  if (paths.includes("paused") && paused === true) patch.paused = true;
  return patch;
}

/** The whole of `configs` or `metadata` to send. */
export function keysToSend(
  desired: Desired,
  observed: Observed,
  name: "configs" | "metadata",
  removal: Removal,
): JsonObject {
  const live = name === "configs" ? observed.tenant.configs : observed.metadata;
  const declared = desired.settings[name] ?? {};
  const whole = wholeObject({ declared, removed: desired.removed[name] }, live, name);
  if (removal === "leave out") return whole;
  const nulls = Object.fromEntries(stillThere(desired, observed, name).map((key) => [key, null]));
  const inside = Object.entries(declared).map(([key, wanted]) => [key, withNulls(wanted, partOf(live, key))]);
  return { ...whole, ...nulls, ...Object.fromEntries(inside) };
}

/** An id goes out with the channel null and the other way round; should the platform refuse both, the one alone. */
export async function patchTenant({ client }: Platform, id: number, patch: TenantPatch): Promise<Tenant | undefined> {
  try {
    return await client.tenants.update(id, patch);
  } catch (error) {
    const { integration_release_id: releaseId, integration_release_channel: channel, ...rest } = patch;
    if (!(error instanceof ValidationError) || releaseId === undefined || channel === undefined) throw error;
    const alone = releaseId === null ? { integration_release_channel: channel } : { integration_release_id: releaseId };
    return client.tenants.update(id, { ...rest, ...alone });
  }
}

function releaseFields(release: ResolvedRelease): TenantPatch {
  return "id" in release
    ? { integration_release_id: release.id, integration_release_channel: null }
    : { integration_release_id: null, integration_release_channel: release.channel };
}
