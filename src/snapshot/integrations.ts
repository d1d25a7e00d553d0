import { type Client, type Integration, NotFoundError } from "../api/index.ts";
import { didYouMean } from "../inputs/did-you-mean.ts";
import { oneLine } from "../json/one-line.ts";
import { shortList } from "../json/short-list.ts";
import { once, oncePer } from "./once.ts";

/** The platform's integrations, listed once per operation. */
export interface Integrations {
  /** All integrations that are not archived. */
  all(): Promise<readonly Integration[]>;
  /** The archived integrations. They may still have live tenants. */
  archived(): Promise<readonly Integration[]>;
  /**
   * Finds an integration by id (number) or name (string). An archived one is found too, unless another one has its name. Throws
   * {@link UnknownNameError}, with a suggestion.
   */
  find(nameOrId: string | number): Promise<Integration>;
}

/**
 * The user named something that does not exist on the platform, or a name that is not unique. The message is one line, whatever
 * the names in it are.
 */
export class UnknownNameError extends Error {
  override readonly name = "UnknownNameError";

  constructor(message: string) {
    super(oneLine(message));
  }
}

/** Resolves to the value or to the {@link UnknownNameError}, so that the caller can report it at the right input. */
export async function orUnknownName<T>(found: Promise<T>): Promise<T | UnknownNameError> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof UnknownNameError) return error;
    throw error;
  }
}

export function integrations(client: Client): Integrations {
  const listOf = (archived: boolean) =>
    once(async () => {
      const found: Integration[] = [];
      for await (const integration of client.integrations.list({ archived })) found.push(integration);
      return found;
    });
  const [list, listArchived] = [listOf(false), listOf(true)];

  /** Reads an integration that is not listed: it may be archived but still have tenants. */
  const unlisted = oncePer(async (id: number) => {
    try {
      return await client.integrations.get(id);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new UnknownNameError(describeMiss(id, await list()));
    }
  });

  return {
    all: list,
    archived: listArchived,
    find: async (nameOrId) => {
      const known = await list();
      if (typeof nameOrId === "number") return known.find(({ id }) => id === nameOrId) ?? unlisted(nameOrId);
      const isNamed = ({ name }: Integration) => name === nameOrId;
      const matches = known.some(isNamed) ? known.filter(isNamed) : (await listArchived()).filter(isNamed);
      const [match] = matches;
      if (match === undefined) throw new UnknownNameError(describeMiss(nameOrId, known));
      if (matches.length === 1) return match;
      const ids = shortList(matches.map(({ id }) => String(id)));
      throw new UnknownNameError(
        `${matches.length} integrations are named "${nameOrId}" (ids ${ids}); use the id instead`,
      );
    },
  };
}

function describeMiss(nameOrId: string | number, known: readonly Integration[]) {
  if (typeof nameOrId === "string") {
    return `there is no integration named "${nameOrId}"${didYouMean(
      nameOrId,
      known.map(({ name }) => name),
    )}`;
  }
  const ids = known.map(({ id, name }) => `${id} (${name})`);
  return `there is no integration with id ${nameOrId}${didYouMean(String(nameOrId), ids)}`;
}
