import type { Release } from "../../api/index.ts";
import type { Releases } from "../../snapshot/index.ts";
import { poll } from "../poll.ts";

/** How long a build may take until its release shows, in seconds. */
const timeoutSecondsDefault = 15 * 60;

/**
 * Waits until a release with the tag shows among the integration's. The API answers a build request with nothing that
 * names the release to come (specification, Builds): the tag is all there is to know it by.
 *
 * @param before ids of the releases that were there when the build was asked for.
 * @returns nothing where the time is over.
 */
export async function awaitRelease(
  releases: Releases,
  { tag, timeoutSeconds = timeoutSecondsDefault }: { tag: string; timeoutSeconds?: number | undefined },
  before: ReadonlySet<number>,
): Promise<Release | undefined> {
  const isWanted = (release: Release) => release.tag === tag && !before.has(release.id);
  const seen = await poll({
    ask: () => releases.observe(),
    isDone: (all) => all.some(isWanted),
    deadlineSeconds: timeoutSeconds,
    pauses: { first: 0.5, longest: 15 },
  });
  return oldest(seen.filter(isWanted));
}

/** Of several releases of a tag the first that was made: they cannot be told apart. */
export function oldest(releases: readonly Release[]): Release | undefined {
  return releases.toSorted((left, right) => left.id - right.id)[0];
}
