import { isRollingName } from "../model/declared.ts";
import type { PlatformProcess } from "../platform-process.ts";
import type { Difference } from "../reader.ts";

/** How long a write may take until reads show it (the variant `visibility`), with a margin, in milliseconds. */
const lagMilliseconds = 800;

/** The path of a tenant or its metadata. */
const isTenantPath = /^\/v2\/tenants\/(\d+)(\/metadata)?$/;

/** What somebody else wrote while a command ran; milliseconds since the epoch. */
export interface Written {
  readonly id: number;
  readonly name: string;
  readonly at: number;
}

/**
 * The differences right after a success that nobody else's write explains. A write explains its tenant's where the run did
 * not look at that tenant's settings any more: the first list of the tenants was earlier, and no later PATCH is of that one.
 * After its PATCHes, a tenant is read and compared as a whole. Other requests of a tenant, such as a sync or a read of its
 * metadata, say nothing of the settings in an earlier list. For a rollout's tenants only the list counts: the rollout writes
 * their release after their fleet has looked at their settings.
 */
export async function unexplainedBy(
  platform: Pick<PlatformProcess, "requests">,
  written: readonly Written[],
  found: readonly Difference[],
): Promise<readonly Difference[]> {
  const answered = (await platform.requests())
    .filter(({ status, fault }) => status === 200 && fault === undefined)
    .map((request) => ({ ...request, at: Date.parse(request.at) }));
  const lists = answered.filter(
    ({ method, path, query }) => method === "GET" && path === "/v2/tenants" && isWhole(query),
  );
  const firstListAt = Math.min(...lists.map(({ at }) => at));
  const lastLookAt = ({ id, name }: Written) => {
    if (isRollingName.test(name)) return firstListAt;
    const looks = answered.filter(({ method, path }) => method === "PATCH" && isTenantPath.exec(path)?.[1] === `${id}`);
    return Math.max(firstListAt, ...looks.map(({ at }) => at));
  };
  const isExplained = ({ tenant }: Difference) =>
    written.some((write) => write.name === tenant && write.at + lagMilliseconds >= lastLookAt(write));
  return found.filter((difference) => !isExplained(difference));
}

function isWhole({ integration_id, archived, limit, skip = "0" }: Readonly<Record<string, string>>): boolean {
  return integration_id !== undefined && archived !== "true" && limit === "500" && skip === "0";
}
