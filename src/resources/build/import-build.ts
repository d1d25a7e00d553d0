import type { Release } from "../../api/index.ts";
import { defined } from "../../json/defined.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { poll } from "../../operation/poll.ts";
import type { Releases } from "../../snapshot/index.ts";
import { ImportIdError, parseRecordId } from "../existing/unique-keys.ts";
import type { Imported } from "../lifecycle.ts";
import { stateOf } from "./observed-release.ts";
import type { BuildInputs, BuildState } from "./schema.ts";

/** Imports the build of an existing release, which `<id of the integration>/<tag>` names. */
export async function importBuild(
  context: OperationContext,
  id: string,
): Promise<Imported<BuildInputs, BuildState> | undefined> {
  const [, integrationText = "", tag] = /^(.*?)\/(.+)$/s.exec(id) ?? [];
  const integrationId = parseRecordId(integrationText);
  if (integrationId === undefined || tag === undefined) {
    throw new ImportIdError(
      "Build",
      id,
      "the id of the integration and the tag of the release with a / between them, such as 101/v1.4.0",
    );
  }
  const { record, releases } = await integrationScope(context, integrationId);
  const release = oldest((await releases.all()).filter((other) => other.tag === tag));
  if (release === undefined) return undefined;
  const { repository_tracking_branch: branch } = release;
  // programs declare the branch where it is not the default
  const isDefault = branch === record.repository_tracking_branch;
  const inputs = defined({ integrationId, tag, branch: branch && !isDefault ? branch : undefined });
  return { id, inputs, state: stateOf(inputs, release) };
}

/** The default timeout until a build's release is listed, in seconds. */
const timeoutSecondsDefault = 15 * 60;

/**
 * Waits until the integration has a release with the tag. The response to a build request does not identify the new release
 * (specification, Builds), so only its tag does.
 *
 * @param before ids of the releases that existed before the build was requested.
 * @param signal ends the waiting with a `CancelledError`.
 * @returns `undefined` after the timeout.
 */
export async function awaitRelease(
  releases: Releases,
  { tag, timeoutSeconds = timeoutSecondsDefault }: { tag: string; timeoutSeconds?: number | undefined },
  before: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<Release | undefined> {
  const isWanted = (release: Release) => release.tag === tag && !before.has(release.id);
  const seen = await poll({
    ask: () => releases.fetchFresh(),
    isDone: (all) => all.some(isWanted),
    deadlineSeconds: timeoutSeconds,
    pauses: { first: 0.5, longest: 15 },
    signal,
  });
  return oldest(seen.filter(isWanted));
}

/** The oldest of several releases with the same tag. */
export function oldest(releases: readonly Release[]): Release | undefined {
  return releases.toSorted((left, right) => left.id - right.id)[0];
}
