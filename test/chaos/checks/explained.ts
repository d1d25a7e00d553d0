import type { PlatformProcess } from "../platform-process.ts";
import type { Difference } from "../reader.ts";

/** How long a write may take until reads show it (the variant `visibility`), with a margin, in milliseconds. */
const lagMilliseconds = 800;

/**
 * The differences right after a success that nobody else's write explains. One that came before the run first listed the
 * tenants explains nothing: the run had to see it. A later one does: a run looks again only at what it writes itself.
 *
 * @param written when somebody else wrote to a tenant during the run, by its name; milliseconds since the epoch.
 */
export async function unexplainedBy(
  platform: PlatformProcess,
  written: ReadonlyMap<string, readonly number[]>,
  found: readonly Difference[],
): Promise<readonly Difference[]> {
  const lists = (await platform.requests()).filter(
    ({ method, path, query, status, fault }) =>
      method === "GET" && path === "/v2/tenants" && status === 200 && fault === undefined && isWhole(query),
  );
  const firstListAt = Math.min(...lists.map(({ at }) => Date.parse(at)));
  const isExplained = ({ tenant }: Difference) =>
    (written.get(tenant) ?? []).some((writtenAt) => writtenAt + lagMilliseconds >= firstListAt);
  return found.filter((difference) => !isExplained(difference));
}

function isWhole({ integration_id, archived, limit, skip = "0" }: Readonly<Record<string, string>>): boolean {
  return integration_id !== undefined && archived !== "true" && limit === "500" && skip === "0";
}
