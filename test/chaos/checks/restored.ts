import type { PlatformProcess } from "../platform-process.ts";
import { ownLive } from "../scene.ts";

/** Which of our live tenants are paused, by id. */
export type PausedTenants = ReadonlyMap<number, boolean>;

export async function readPaused(platform: PlatformProcess): Promise<PausedTenants> {
  const found = new Map<number, boolean>();
  for (const { id } of await ownLive(platform)) {
    found.set(id, Object(await platform.call("GET", `/_emulator/tenants/${id}`)).paused === true);
  }
  return found;
}

/**
 * The tenants that the end of an override has not restored. One that was archived since, or is new, is none of them.
 *
 * @param mayStayPaused whether the override's end may leave a tenant paused: docs/guides/overrides.md says when.
 */
export function notRestored(
  before: PausedTenants,
  after: PausedTenants,
  mayStayPaused: (id: number) => boolean,
): string[] {
  return [...after].flatMap(([id, isPaused]) => {
    const wasPaused = before.get(id);
    if (wasPaused === undefined || wasPaused === isPaused) return [];
    if (isPaused && mayStayPaused(id)) return [];
    return [`the override has ended, and tenant ${id} is ${isPaused ? "paused" : "running"}: it was not before`];
  });
}
