import type { Releases } from "../../src/snapshot/index.ts";

/** The releases for a setting that must not ask for any. */
export const noReleases: Releases = {
  all: refuse,
  fetchFresh: refuse,
  fetchOne: refuse,
  unlisted: refuse,
  byId: refuse,
  byTag: refuse,
  ofChannel: refuse,
};

async function refuse(): Promise<never> {
  throw new Error("this setting needs no releases");
}
