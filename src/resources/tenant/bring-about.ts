import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ApiError, type JsonObject, ValidationError } from "../../api/index.ts";
import { isSameAndMore, partOf } from "../declared-keys.ts";
import { readMetadata } from "../metadata-of.ts";
import type { Platform } from "../platform.ts";
import {
  type Desired,
  observedSettings,
  type Settings,
  stillThere,
  unsettled,
  warnOfAbsentFields,
} from "./settings.ts";
import { describeTenant, type TenantView } from "./view.ts";
import { keysToSend, patchTenant, type Removal, settingsPatch } from "./writes.ts";

/** A key is no longer declared, and the platform keeps it. */
export class NotRemovableError extends Error {
  override name = "NotRemovableError";
}

const roundsMaximum = 4;
/** How long to look for a write whose answer was lost, or for a removal that may need the other way, in seconds. */
const shortPatienceSeconds = 2;

/**
 * Brings a tenant to its settings: writes what differs, resumes it last, and is done when a read shows it. Keeps
 * `view.observed` true throughout, so that who catches an error knows what was done.
 *
 * Throws what the platform refused, and an Error that names the settings which it accepted but did not take.
 */
export async function bringAbout(platform: Platform, view: TenantView, desired: Desired): Promise<Settings> {
  let removal: Removal = "leave out";
  for (let round = 1; ; round += 1) {
    const { paths: known } = await compare(view, desired);
    const lostAnswer = await write(platform, view, desired, removal);
    const { settings, paths } = await settle(platform, view, desired, lostAnswer !== undefined);
    if (paths.length === 0) {
      warnOfAbsentFields(platform, settings, view.observed.tenant);
      return settings;
    }
    const isNews = paths.some((path) => !known.includes(path)); // nothing was written there yet
    if ((lostAnswer !== undefined || isNews) && round < roundsMaximum) continue;
    if (lostAnswer !== undefined) throw lostAnswer;
    if (!isRemovalOnly(view, desired, settings, paths)) throw notTaken(view, paths, platform.settleSeconds);
    if (removal === "send null") throw notRemovable(view, paths);
    removal = "send null";
  }
}

/** The settings as last seen, and the paths of those that are not as desired. */
export async function compare(view: TenantView, desired: Desired) {
  const settings = await observedSettings(desired, view.integration.releases, view.observed);
  return { settings, paths: unsettled(desired, settings, view.observed) };
}

/** Sends what is unsettled. Returns the error where an answer was lost: only a read can tell whether it took effect. */
async function write(platform: Platform, view: TenantView, desired: Desired, removal: Removal) {
  try {
    await writeSettings(platform, view, desired, removal);
    await writeMetadata(platform, view, desired, removal);
    await resume(platform, view, desired);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.mayHaveBeenApplied) return error;
    if (removal === "leave out" || !(error instanceof ValidationError)) throw error;
    throw notRemovable(view, (await compare(view, desired)).paths, error);
  }
}

async function writeSettings(platform: Platform, view: TenantView, desired: Desired, removal: Removal) {
  const { paths } = await compare(view, desired);
  const patch = settingsPatch(desired, paths, view.observed, removal);
  if (Object.keys(patch).length === 0) return;
  const isComparable = view.isRead && !paths.includes("release"); // another release may hide other values
  const echoed = isComparable ? echoedKeys(desired.lastKnown.configs, view.observed.tenant.configs) : {};
  view.isRead = false;
  const answer = await patchTenant(platform, view.id, patch);
  const { schedule, release, configs } = desired.settings;
  desired.lastKnown = {
    ...desired.lastKnown,
    ...(schedule !== undefined && "user_schedule" in patch ? { schedule } : {}),
    ...(release !== undefined && paths.includes("release") ? { release } : {}),
    ...(configs !== undefined && "configs" in patch ? { configs: { ...configs, ...echoed } } : {}),
  };
  if (answer !== undefined) take(view, { tenant: answer });
}

/** What came back as it was written: the platform does not hide it, so that a read can prove that it took another value. */
function echoedKeys(written: JsonObject = {}, live: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(written).filter(([key, value]) => isDeepStrictEqual(value, partOf(live, key))),
  );
}

async function writeMetadata({ client }: Platform, view: TenantView, desired: Desired, removal: Removal) {
  const { paths } = await compare(view, desired);
  if (!paths.some((path) => path.startsWith("metadata."))) return;
  view.isRead = false;
  const answer = await client.metadata.update(view.id, keysToSend(desired, view.observed, "metadata", removal));
  const { metadata } = desired.settings;
  desired.lastKnown = { ...desired.lastKnown, ...(metadata === undefined ? {} : { metadata }) };
  take(view, { metadata: answer.data });
}

/** A tenant is resumed only once all else is as declared: its first run must not meet half of its configs. */
async function resume(platform: Platform, view: TenantView, desired: Desired) {
  if (desired.settings.paused !== false) return;
  let { paths } = await compare(view, desired);
  if (!paths.includes("paused")) return;
  if (paths.length > 1 && !view.isRead) paths = (await settle(platform, view, desired, false, isResumable)).paths;
  if (!isResumable(paths) || paths.length === 0) return;
  view.isRead = false;
  const answer = await platform.client.tenants.update(view.id, { paused: false });
  if (answer !== undefined) take(view, { tenant: answer });
}

function isResumable(paths: readonly string[]) {
  return paths.every((path) => path === "paused");
}

/** Reads until all is as desired, or patience has ended before the last read began: a slow one shows what was long ago. */
async function settle(
  platform: Platform,
  view: TenantView,
  desired: Desired,
  isAnswerLost: boolean,
  isDone = (paths: readonly string[]) => paths.length === 0,
) {
  const start = performance.now();
  for (let pauseSeconds = 0.1; ; pauseSeconds = Math.min(2 * pauseSeconds, 2)) {
    const passedSeconds = (performance.now() - start) / 1000;
    if (!view.isRead) await read(platform, view, desired);
    const result = await compare(view, desired);
    if (view.isRead && isDone(result.paths)) return result;
    const isShort = isAnswerLost || isRemovalOnly(view, desired, result.settings, result.paths);
    const patienceSeconds = isShort ? Math.min(shortPatienceSeconds, platform.settleSeconds) : platform.settleSeconds;
    if (passedSeconds > patienceSeconds) {
      if (view.isRead) return result;
      throw new Error(
        `${describeTenant(view)} is not among the live tenants (GET /v2/tenants): archived by someone else, or not shown yet. ` +
          "Look for it in the console, then run up again",
      );
    }
    await sleep(pauseSeconds * 1000);
    view.isRead = false;
  }
}

async function read(platform: Platform, view: TenantView, { settings, removed }: Desired) {
  const isManaged = settings.metadata !== undefined || removed.metadata.length > 0;
  const [tenant, metadata] = await Promise.all([
    view.integration.tenants.observe(view.id),
    isManaged ? readMetadata(platform, view.integration.tenants, view.id) : undefined,
  ]);
  if (tenant === undefined || (isManaged && metadata === undefined)) return;
  take(view, { tenant, ...(metadata === undefined ? {} : { metadata }) });
  view.isRead = true;
}

function take(view: TenantView, seen: Partial<TenantView["observed"]>) {
  view.observed = { ...view.observed, ...seen };
  view.integration.tenants.put(view.observed.tenant);
}

/** Whether nothing is left but keys that were to be removed, at any depth. */
function isRemovalOnly({ observed }: TenantView, desired: Desired, settings: Settings, paths: readonly string[]) {
  const removed = (["configs", "metadata"] as const).flatMap((name) => {
    const declared = Object.entries(desired.settings[name] ?? {});
    const withMore = declared.filter(([key, wanted]) => isSameAndMore(partOf(settings[name], key), wanted));
    return [...stillThere(desired, observed, name), ...withMore.map(([key]) => key)].map((key) => `${name}.${key}`);
  });
  return paths.some((path) => removed.includes(path)) && paths.every((path) => [...removed, "paused"].includes(path));
}

function notTaken(view: TenantView, paths: readonly string[], seconds: number) {
  const writes = [
    ...(paths.some((path) => !path.startsWith("metadata.")) ? [`PATCH /v2/tenants/${view.id}`] : []),
    ...(paths.some((path) => path.startsWith("metadata.")) ? [`PATCH /v2/tenants/${view.id}/metadata`] : []),
  ];
  return new Error(
    `${describeTenant(view)}: the platform answered ${writes.join(" and ")} with success, ` +
      `but ${seconds} s later it has not taken ${paths.join(", ")}. Compare with the tenant in the console, then run up again`,
  );
}

function notRemovable(view: TenantView, paths: readonly string[], cause?: Error) {
  return new NotRemovableError(
    `${describeTenant(view)}: the platform offers no way to remove what is no longer declared of ${paths.join(", ")}: ` +
      "left out of the PATCH it stays, and so it does when sent as null. Declare it again, with the value it is to have",
    { cause },
  );
}
