import { type Client, NotFoundError, type Release } from "../api/index.ts";
import { nearest } from "../nearest.ts";
import { UnknownNameError } from "./integrations.ts";
import { once, oncePer } from "./once.ts";
import { waves } from "./waves.ts";

/** The releases of one integration. */
export interface Releases {
  /** All of them, listed once per operation. */
  all(): Promise<readonly Release[]>;
  /** All of them, from a list that is read after this call began. */
  observe(): Promise<readonly Release[]>;
  /** By id. A missing one is looked for in a second list, as builds add releases. Throws {@link UnknownNameError} where the integration has no such release. */
  byId(id: number): Promise<Release>;
  /** By tag, likewise. Throws {@link UnknownNameError} with the nearest tags, or where several releases bear it. */
  byTag(tag: string): Promise<Release>;
  /** The release a channel stands for at present; `undefined` where there is none yet or the channel is not known. */
  ofChannel(channel: string): Promise<Release | undefined>;
}

export function releases(client: Client, integrationId: number): Releases {
  const list = once(() => client.releases.list(integrationId));
  const nextList = waves(async (_: ReadonlySet<"all">) => {
    list.forget();
    ofChannel.forget("Latest");
    return list();
  });
  const ofChannel = oncePer(async (channel: string) => {
    const { getDefault, getLatest } = client.releases;
    if (channel === "Default") return noneIfNotFound(getDefault(integrationId));
    if (channel === "Latest") return noneIfNotFound(getLatest(integrationId));
    return undefined;
  });

  const matching = async (isWanted: (release: Release) => boolean) => {
    const first = (await list()).filter(isWanted);
    if (first.length > 0) return { known: await list(), matches: first };
    const known = await nextList("all");
    return { known, matches: known.filter(isWanted) };
  };

  return {
    all: list,
    observe: () => nextList("all"),
    byId: async (id) => {
      const { known, matches } = await matching((release) => release.id === id);
      const [match] = matches;
      if (match !== undefined) return match;
      const ids = known.map((release) => `${release.id} (${release.tag ?? release.name})`);
      throw new UnknownNameError(`the integration has no release with id ${id}${nearest(String(id), ids)}`);
    },
    byTag: async (tag) => {
      const { known, matches } = await matching((release) => release.tag === tag);
      const [match] = matches;
      if (match === undefined) {
        const tags = known.flatMap((release) => release.tag ?? []);
        throw new UnknownNameError(`the integration has no release with tag "${tag}"${nearest(tag, tags)}`);
      }
      if (matches.length === 1) return match;
      const ids = matches.map(({ id }) => id).join(", ");
      throw new UnknownNameError(`${matches.length} releases bear the tag "${tag}" (ids ${ids}); give the id`);
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
