import type { PlatformProcess } from "../platform-process.ts";

/** Archives a tenant, which is excused from then on: not before its DELETE is known to have worked. */
export async function archive(platform: PlatformProcess, id: number, archivedByOthers: Set<number>): Promise<void> {
  const path = `/v2/tenants/${id}`;
  try {
    await platform.call("DELETE", path);
  } catch (error) {
    // the answer may have been lost with the platform, and the second try refused: then nobody else has archived it
    const isArchived = Object(await platform.call("GET", `/_emulator/tenants/${id}`)).archived === true;
    const isOurs = (await platform.requests()).some((request) => request.method === "DELETE" && request.path === path);
    if (!isArchived || isOurs) throw error;
  }
  archivedByOthers.add(id);
}
