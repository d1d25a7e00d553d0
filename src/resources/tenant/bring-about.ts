import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, ValidationError } from "../../api/index.ts";
import { isSameAndMore, partOf } from "../declared-keys.ts";
import { readMetadata } from "../metadata-of.ts";
import type { Platform } from "../platform.ts";
import { isKnownToLeaveOut, isOnlyLeftOut, noteHiding, requireNothingHidden } from "./hidden-values.ts";
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

/**
 * Brings a tenant to its settings: writes what differs, resumes it last, and is done when a read shows it. Keeps
 * `view.observed` true throughout, so that who catches an error knows what was done.
 *
 * Throws what the platform refused, and an Error that names the settings which it accepted but did not take.
 */
export async function bringAbout(platform: Platform, view: TenantView, desired: Desired): Promise<Settings> {
  let removal: Removal = "leave out";
  for (let round = 1; ; round += 1) {
    desired.leavesOut ||= isKnownToLeaveOut(platform);
    await readBeforeWriting(platform, view, desired);
    const { paths: known } = await compare(view, desired);
    let lostAnswer = await orLostAnswer(write(platform, view, desired, removal));
    let { settings, paths } = await settle(platform, view, desired, (left) => isAllButResumed(desired, left));
    if (paths.length > 0 && isAllButResumed(desired, paths)) {
      lostAnswer = await orLostAnswer(resume(platform, view));
      ({ settings, paths } = await settle(platform, view, desired, (left) => left.length === 0));
    }
    if (paths.length === 0) {
      noteHiding(platform, desired, view.observed);
      warnOfAbsentFields(platform, settings, view.observed.tenant);
      return settings;
    }
    const isLeftOut = lostAnswer === undefined && !desired.leavesOut && isOnlyLeftOut(desired, view.observed, paths);
    if (isLeftOut && round < roundsMaximum) {
      desired.leavesOut = true; // it has been waited for, and written with success
      continue;
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

/**
 * A whole object is built from a read that is made for it: somebody may have changed the object since the operation listed
 * the tenants. The platform's answer to our own POST needs none for metadata: nobody else knows the tenant yet.
 */
async function readBeforeWriting(platform: Platform, view: TenantView, desired: Desired) {
  if (view.isRead) return;
  const { paths } = await compare(view, desired);
  const isObjectToWrite = paths.some((path) => path.startsWith("configs.") || isMetadataToRead(desired, path));
  if (isObjectToWrite) await settle(platform, view, desired, () => true);
}

function isMetadataToRead({ isNew = false }: Desired, path: string) {
  return path.startsWith("metadata.") && !isNew;
}

/** The error where the answer to a write was lost: only a read can tell whether it took effect. */
async function orLostAnswer(writing: Promise<void>): Promise<ApiError | undefined> {
  try {
    await writing;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.mayHaveBeenApplied) return error;
    throw error;
  }
}

/** Sends what is unsettled, all but the resumption. */
async function write(platform: Platform, view: TenantView, desired: Desired, removal: Removal) {
  try {
    await writeSettings(platform, view, desired, removal);
    await writeMetadata(platform, view, desired, removal);
  } catch (error) {
    if (error instanceof ApiError && error.mayHaveBeenApplied) throw error;
    if (removal === "leave out" || !(error instanceof ValidationError)) throw error;
    throw notRemovable(view, (await compare(view, desired)).paths, error);
  }
}

async function writeSettings(platform: Platform, view: TenantView, desired: Desired, removal: Removal) {
  const { paths } = await compare(view, desired);
  const patch = settingsPatch(desired, paths, view.observed, removal);
  if (Object.keys(patch).length === 0) return;
  if ("configs" in patch) requireNothingHidden(platform, desired, view.observed, "configs");
  if (paths.includes("release") && desired.lastWrite !== undefined) {
    desired.lastWrite = { ...desired.lastWrite, settings: {} }; // another release may hide other values
  }
  view.isRead = false;
  const answer = await patchTenant(platform, view.id, patch);
  const { schedule, release, configs } = desired.settings;
  desired.lastKnown = {
    ...desired.lastKnown,
    ...(schedule !== undefined && "user_schedule" in patch ? { schedule } : {}),
    ...(release !== undefined && paths.includes("release") ? { release } : {}),
    ...(configs !== undefined && "configs" in patch ? { configs } : {}),
  };
  if (answer !== undefined) take(view, { tenant: answer });
}

async function writeMetadata(platform: Platform, view: TenantView, desired: Desired, removal: Removal) {
  const isMetadata = (path: string) => path.startsWith("metadata.");
  let { paths } = await compare(view, desired);
  if (!view.isRead && paths.some((path) => isMetadataToRead(desired, path))) {
    const metadata = await readMetadata(platform, view.integration.tenants, view.id); // the PATCH before took its time
    if (metadata !== undefined) take(view, { metadata });
    ({ paths } = await compare(view, desired));
  }
  if (!paths.some(isMetadata)) return;
  requireNothingHidden(platform, desired, view.observed, "metadata");
  view.isRead = false;
  const answer = await platform.client.metadata.update(
    view.id,
    keysToSend(desired, view.observed, "metadata", removal),
  );
  const { metadata } = desired.settings;
  desired.lastKnown = { ...desired.lastKnown, ...(metadata === undefined ? {} : { metadata }) };
  take(view, { metadata: answer.data });
}

/**
 * Whether nothing is left to do but to resume the tenant. Its first run must not meet half of its configs: so this is asked
 * of what a read shows, since an answer to a PATCH may repeat what the platform has not taken.
 */
function isAllButResumed({ settings }: Desired, paths: readonly string[]) {
  return paths.every((path) => path === "paused" && settings.paused === false);
}

async function resume({ client }: Platform, view: TenantView) {
  view.isRead = false;
  const answer = await client.tenants.update(view.id, { paused: false });
  if (answer !== undefined) take(view, { tenant: answer });
}

/**
 * Reads until what is left to do is as wanted, or until a write must show; the last read begins after that time, since a slow
 * one shows what was long ago. The result comes from a read in any case.
 */
async function settle(
  platform: Platform,
  view: TenantView,
  desired: Desired,
  isDone: (paths: readonly string[]) => boolean,
) {
  const start = performance.now();
  for (let pauseSeconds = 0.1; ; pauseSeconds = Math.min(2 * pauseSeconds, 2)) {
    const passedSeconds = (performance.now() - start) / 1000;
    if (!view.isRead) await read(platform, view, desired);
    const result = await compare(view, desired);
    if (view.isRead && isDone(result.paths)) return result;
    if (passedSeconds > platform.settleSeconds) {
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
