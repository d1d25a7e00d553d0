import type { Release } from "../../api/index.ts";
import { poll } from "../../operation/poll.ts";
import type { Releases } from "../../snapshot/index.ts";

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
