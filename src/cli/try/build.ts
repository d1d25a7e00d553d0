import type { Release, Tenant } from "../../api/index.ts";
import { isJsonObject } from "../../json/json-value.ts";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { timeNow } from "../../operation/platform-time.ts";
import { awaitRelease, oldest } from "../../resources/build/import-build.ts";
import { requestBuild } from "../../resources/build/lifecycle.ts";
import { tryKeys } from "../../settings/portable-keys.ts";
import { printToStandardError } from "../shell.ts";
import { CommandError } from "../subcommand.ts";
import { withProgress } from "../terminal.ts";
import type { CommandContext } from "../with-platform.ts";
import { freshMetadata, writeKey } from "./loans.ts";

/** A build to ask for, unless an earlier command has. */
export interface WantedBuild {
  tag: string;
  branch?: string | undefined;
  timeoutSeconds?: number | undefined;
  /** The test tenant in whose metadata it is noted that the build was asked for. Without one, an interruption forgets it. */
  notedAt?: Tenant | undefined;
  /** Whether to ask again although that is noted. */
  isRepeated: boolean;
  /** Whether a tenant that follows the channel Latest may get the release, by its name. */
  mayMove(tenant: string): boolean;
}

/** When builds were asked for, by their tags, in a test tenant's metadata. The API shows no build that is under way. */
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
  const notedAt = isRepeated ? undefined : await timeOfBuild(context, build);
  const what = `the build "${oneLine(tag)}" of integration "${oneLine(scope.record.name)}"`;
  if (notedAt === undefined) {
    await refuseToMoveLatest(scope, build);
    await noteBuild(context, scope, build);
    const lost = await requestBuild(context, { integrationId: scope.id, tag, branch });
    if (lost !== undefined) context.warn(`the answer to the request of ${what} was lost: ${lost.message}`);
  } else {
    printToStandardError(context.shell, `${what} was asked for at ${notedAt}: waiting for its release`);
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

async function timeOfBuild(context: CommandContext, { tag, notedAt }: WantedBuild): Promise<string | undefined> {
  const builds = notedAt === undefined ? undefined : (await freshMetadata(context, notedAt.id))[buildsKey];
  const time = isJsonObject(builds) ? builds[tag] : undefined;
  return typeof time === "string" ? time : undefined;
}

async function noteBuild(context: CommandContext, scope: IntegrationScope, { tag, notedAt }: WantedBuild) {
  if (notedAt === undefined) return;
  const metadata = await freshMetadata(context, notedAt.id);
  const { at } = timeNow(context.client);
  const isRecent = (time: unknown) =>
    typeof time === "string" && at.getTime() - Date.parse(time) < keptDays * 24 * 60 * 60 * 1000;
  const before = isJsonObject(metadata[buildsKey]) ? Object.entries(metadata[buildsKey]) : [];
  const kept = Object.fromEntries(before.filter(([, time]) => isRecent(time)));
  const value = { ...kept, [tag]: at.toISOString() };
  await writeKey(context, scope, { tenant: notedAt, metadata, key: buildsKey, value });
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
