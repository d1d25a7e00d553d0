import { type Client, NotFoundError, type Release, ValidationError } from "../api/index.ts";
import { didYouMean } from "../inputs/did-you-mean.ts";
import { shortList } from "../json/short-list.ts";
import { coalesced } from "./coalesced.ts";
import { UnknownNameError } from "./integrations.ts";
import { once, oncePer } from "./once.ts";

/** The releases of one integration. */
export interface Releases {
  /** All releases, listed once per operation. */
  all(): Promise<readonly Release[]>;
  /** All releases, from a list that is read after this call began. */
  fetchFresh(): Promise<readonly Release[]>;
  /** The release with this id, from its own request: it may show a release that lists lack yet. `undefined` if it has a 404. */
  fetchOne(id: number): Promise<Release | undefined>;
  /** The same, requested once per operation: for a release that a tenant runs and no list shows. */
  unlisted(id: number): Promise<Release | undefined>;
  /**
   * The release with this id. If it is missing, a second list is read, because builds add releases. Throws
   * {@link UnknownNameError} if the integration has no such release.
   */
  byId(id: number): Promise<Release>;
  /** The release with this tag, found in the same way. Throws {@link UnknownNameError} also if several releases have it. */
  byTag(tag: string): Promise<Release>;
  /** The current release of a channel; `undefined` if it has none yet or the channel is unknown. */
  ofChannel(channel: string): Promise<Release | undefined>;
}

export function releases(client: Client, integrationId: number): Releases {
  const read = () => client.releases.list(integrationId);
  let current = once(read);
  const list = () => current();
  const nextList = coalesced(async (_: ReadonlySet<"all">) => {
    const next = await read(); // if it fails, the list so far stays
    current = once(async () => next);
    ofChannel.forget("Latest");
    return next;
  });
  const ofChannel = oncePer(async (channel: string) => {
    const { getDefault, getLatest } = client.releases;
    if (channel === "Default") return noneIfNotFound(getDefault(integrationId));
    if (channel === "Latest") return noneIfNotFound(getLatest(integrationId));
    return undefined;
  });

  const fetchOne = (id: number) => noneIfNotFound(client.releases.get(integrationId, id));

  const matching = async (isWanted: (release: Release) => boolean) => {
    const first = (await list()).filter(isWanted);
    if (first.length > 0) return { known: await list(), matches: first };
    const known = await nextList("all");
    return { known, matches: known.filter(isWanted) };
  };

  return {
    all: list,
    fetchFresh: () => nextList("all"),
    fetchOne,
    unlisted: oncePer((id: number) =>
      fetchOne(id).catch((error: unknown) => {
        if (error instanceof ValidationError) return undefined; // it is not one of the integration's
        throw error;
      }),
    ),
    byId: async (id) => {
      const { known, matches } = await matching((release) => release.id === id);
      const [match] = matches;
      if (match !== undefined) return match;
      const ids = known.map((release) => `${release.id} (${release.tag ?? release.name})`);
      throw new UnknownNameError(`the integration has no release with id ${id}${didYouMean(String(id), ids)}`);
    },
    byTag: async (tag) => {
      const { known, matches } = await matching((release) => release.tag === tag);
      const [match] = matches;
      if (match === undefined) {
        const tags = known.flatMap((release) => release.tag ?? []);
        throw new UnknownNameError(`the integration has no release with tag "${tag}"${didYouMean(tag, tags)}`);
      }
      if (matches.length === 1) return match;
      const found = shortList(matches.map(({ id, name }) => `${id} (${name})`));
      throw new UnknownNameError(`${matches.length} releases have the tag "${tag}": ${found}; use the id instead`);
    },
    ofChannel,
  };
}

async function noneIfNotFound(release: Promise<Release>): Promise<Release | undefined> {
  try {
    return await release;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
