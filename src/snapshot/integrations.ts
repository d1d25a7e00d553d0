import { type Client, type Integration, NotFoundError } from "../api/index.ts";
import { nearest } from "../nearest.ts";
import { once, oncePer } from "./once.ts";

/** The platform's integrations, listed once per operation. */
export interface Integrations {
  /** All of them but the archived. */
  all(): Promise<readonly Integration[]>;
  /** By id (number) or name. Throws {@link UnknownNameError} with the nearest names. */
  find(nameOrId: string | number): Promise<Integration>;
}

/** Something that a user named and the platform does not have, or has twice. */
export class UnknownNameError extends Error {
  override name = "UnknownNameError";
}

/** What was found, or the error of a name that nobody knows, to be told where it was named. */
export async function orUnknownName<T>(found: Promise<T>): Promise<T | UnknownNameError> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof UnknownNameError) return error;
    throw error;
  }
}

export function integrations(client: Client): Integrations {
  const list = once(async () => {
    const found: Integration[] = [];
    for await (const integration of client.integrations.list()) found.push(integration);
    return found;
  });

  /** The list is without archived integrations, whose tenants may still be there. */
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
    find: async (nameOrId) => {
      const known = await list();
      const matches = known.filter(({ id, name }) => nameOrId === id || nameOrId === name);
      const [match] = matches;
      if (match === undefined && typeof nameOrId === "number") return unlisted(nameOrId);
      if (match === undefined) throw new UnknownNameError(describeMiss(nameOrId, known));
      if (matches.length === 1) return match;
      const ids = matches.map(({ id }) => id).join(", ");
      throw new UnknownNameError(`${matches.length} integrations are named "${nameOrId}" (ids ${ids}); give the id`);
    },
  };
}

function describeMiss(nameOrId: string | number, known: readonly Integration[]) {
  if (typeof nameOrId === "string") {
    return `there is no integration named "${nameOrId}"${nearest(
      nameOrId,
      known.map(({ name }) => name),
    )}`;
  }
  const ids = known.map(({ id, name }) => `${id} (${name})`);
  return `there is no integration with id ${nameOrId}${nearest(String(nameOrId), ids)}`;
}
