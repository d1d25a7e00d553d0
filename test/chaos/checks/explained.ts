import type { PlatformProcess } from "../platform-process.ts";
import type { Difference } from "../reader.ts";

/** How long a write may take until reads show it (the variant `visibility`), with a margin, in milliseconds. */
const lagMilliseconds = 800;

/**
 * The differences right after a success that nobody else's write explains. One explains what it did to its tenant if the
 * run has not listed all tenants since: it could not know of it.
 *
 * @param written when somebody else last wrote to a tenant, by its name; milliseconds since the epoch.
 */
export async function explainedBy(
  platform: PlatformProcess,
  written: ReadonlyMap<string, number>,
  found: readonly Difference[],
): Promise<readonly Difference[]> {
  const requests = await platform.requests();
  const lists = requests.filter(({ method, path, fault }) => method === "GET" && path === "/v2/tenants" && !fault);
  const whole = lists.filter(
    ({ query, status }) => status === 200 && query.archived !== "true" && !Number(query.skip ?? 0),
  );
  const lastWhole = Math.max(0, ...whole.map(({ at }) => Date.parse(at)));
  return found.filter(({ tenant }) => (written.get(tenant) ?? 0) + lagMilliseconds < lastWhole || !written.has(tenant));
}
