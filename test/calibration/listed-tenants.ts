import { z } from "zod";
import type { Emulator } from "../../src/emulator/index.ts";

const listSchema = z.array(z.looseObject({ id: z.number(), name: z.string() }));

/** The tenants that raw HTTP lists, the live ones first. */
export async function listed({ url, apiKey }: Pick<Emulator, "url" | "apiKey">) {
  const list = async (archived: boolean) => {
    const headers = { "x-api-key": apiKey };
    const response = await fetch(`${url}/v2/tenants?limit=500&archived=${archived}`, { headers });
    return listSchema.parse(await response.json()).map(({ id, name }) => ({ id, name, archived }));
  };
  const live = await list(false);
  // a platform may list live ones along with archived ones
  return [...live, ...(await list(true)).filter(({ id }) => !live.some((one) => one.id === id))];
}

/** The names of the live tenants. */
export async function liveNames(platform: Pick<Emulator, "url" | "apiKey">): Promise<string[]> {
  return (await listed(platform)).filter(({ archived }) => !archived).map(({ name }) => name);
}
