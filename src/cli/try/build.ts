import { randomUUID } from "node:crypto";
import type { Release } from "../../api/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json-value.ts";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { noRelease } from "../../operation/loan.ts";
import { timeNow } from "../../operation/platform-time.ts";
import { awaitRelease, oldest } from "../../resources/build/import-build.ts";
import { requestBuild } from "../../resources/build/lifecycle.ts";
import { tryKeys } from "../../settings/portable-keys.ts";
import { printToStandardError } from "../shell.ts";
import { CommandError } from "../subcommand.ts";
import { withProgress } from "../terminal.ts";
import type { CommandContext } from "../with-platform.ts";
import { endLoan, freshMetadata, type LastNote, lendTenants, type Wanted } from "./loans.ts";

/** A build to ask for, unless an earlier command has. */
export interface WantedBuild {
  tag: string;
  branch?: string | undefined;
  timeoutSeconds?: number | undefined;
  /** Test tenants: the metadata of a free one notes that the build was asked for. Without them, an interruption forgets it. */
  notes?: (Pick<Wanted, "candidates" | "waitSeconds"> & { by: string }) | undefined;
  /** Whether to ask again although that is noted. */
  isRepeated: boolean;
  /** Whether a tenant that follows the channel Latest may get the release, by its name. */
  mayMove(tenant: string): boolean;
}

/** When builds were asked for, by their tags, in test tenants' metadata. The API shows no build that is under way. */
const buildsKey = tryKeys.builds;
const keptDays = 7;

/**
 * The release of a tag. If no release has the tag, its build is asked for, once: a later command waits for the same build.
 *
 * @throws CommandError if the release does not show in time.
 */
export async function releaseOfBuild(
  context: CommandContext,
  scope: IntegrationScope,
  build: WantedBuild,
): Promise<Release> {
  const { tag, branch, timeoutSeconds, isRepeated } = build;
  const existing = oldest((await scope.releases.fetchFresh()).filter((release) => release.tag === tag));
  if (existing !== undefined) return existing;
  const what = `the build "${oneLine(tag)}" of integration "${oneLine(scope.record.name)}"`;
  const known = isRepeated ? undefined : await timeOfBuild(context, build);
  if (known === undefined) await refuseToMoveLatest(scope, build);
  const before = known ?? (await noteBuild(context, scope, build));
  if (before === undefined) {
    const lost = await requestBuild(context, { integrationId: scope.id, tag, branch });
    if (lost !== undefined) context.warn(`the answer to the request of ${what} was lost: ${lost.message}`);
  } else {
    printToStandardError(context.shell, `${what} was asked for at ${before}: waiting for its release`);
  }
  const release = await withProgress(context.shell, `waiting for the release of ${what}`, () =>
    awaitRelease(scope.releases, { tag, timeoutSeconds }, new Set(), context.signal),
  );
  if (release !== undefined) return release;
  throw new CommandError(
    `${what} was asked for, but its release does not show yet. Look at the build in the console. The same command waits on; ` +
      "with --rebuild it asks for the build again",
  );
}

async function timeOfBuild(context: CommandContext, { tag, notes }: WantedBuild): Promise<string | undefined> {
  const all = await Promise.all((notes?.candidates ?? []).map(({ id }) => freshMetadata(context, id)));
  const times = all.map(({ [buildsKey]: builds }) => (isJsonObject(builds) ? builds[tag] : undefined));
  return times.find((time) => typeof time === "string");
}

/**
 * Notes that a build is asked for, in the metadata of a tenant that it lends itself for this: a PATCH may replace the metadata as it
 * was read, so only one command at a time may write it. The tenant is free again while the build runs.
 *
 * @returns when another command has asked for the build meanwhile; then it notes nothing.
 */
async function noteBuild(
  context: CommandContext,
  scope: IntegrationScope,
  build: WantedBuild,
): Promise<string | undefined> {
  const { tag, notes, isRepeated } = build;
  if (notes === undefined) return undefined;
  const { by, ...wanted } = notes;
  const seconds = context.busyTimeoutSeconds + 10 * context.consistencyTimeoutSeconds;
  const loan = { id: randomUUID(), label: tag, by, seconds, release: noRelease };
  const lent = await lendTenants(context, scope, { ...wanted, count: 1, loan, isRecorded: true });
  let note: LastNote | undefined;
  try {
    const before = isRepeated ? undefined : await timeOfBuild(context, build);
    if (before === undefined)
      note = { key: buildsKey, valueAfter: (noted) => withTime(noted, tag, timeNow(context.client).at) };
    return before;
  } finally {
    for (const one of lent) await endLoan(context, one, note);
  }
}

/** The builds that are noted, with another one. An old one becomes null, which some platforms need to remove it, and then is left out. */
function withTime(noted: JsonValue | undefined, tag: string, at: Date): JsonObject {
  const isRecent = (time: JsonValue) =>
    typeof time === "string" && at.getTime() - Date.parse(time) < keptDays * 24 * 60 * 60 * 1000;
  const known = isJsonObject(noted) ? Object.entries(noted).filter(([, time]) => time !== null) : [];
  const kept = known.map(([other, time]) => [other, isRecent(time) ? time : null]);
  return { ...Object.fromEntries(kept), [tag]: at.toISOString() };
}

/** The channel Latest selects the release that was built last, whatever its branch is. */
async function refuseToMoveLatest({ tenants }: IntegrationScope, { mayMove }: WantedBuild): Promise<void> {
  const live = [...(await tenants.all()).values()];
  const following = live.filter(
    ({ name, integration_release_channel: channel }) => channel === "Latest" && !mayMove(name),
  );
  if (following.length === 0) return;
  throw new CommandError(
    `${following.length === 1 ? "a tenant follows" : `${following.length} tenants follow`} the channel Latest and would get the ` +
      `release of this build: ${shortList(following.map(({ name }) => oneLine(name)))}. Give them a release or the channel ` +
      "Default, or add --move-latest",
  );
}
