import { z } from "zod";
import type { Emulator } from "../../src/emulator/index.ts";

const liveTenantSchema = z.object({
  id: z.int(),
  name: z.string(),
  integration_id: z.int(),
  paused: z.boolean(),
  configs: z.record(z.string(), z.unknown()),
});
const listSchema = z.array(liveTenantSchema);
const metadataSchema = z.object({ data: z.record(z.string(), z.unknown()) });

/** A tenant as the platform has it, with its metadata. */
export type LiveTenant = z.infer<typeof liveTenantSchema> & z.infer<typeof metadataSchema>;

/** Sends a request with the API key to the emulator, without a socket. @throws Error if the response is no success. */
export async function call(emulator: Emulator, method: string, path: string, body?: object): Promise<unknown> {
  const request = new Request(`${emulator.url}${path}`, {
    method,
    headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await emulator.fetch(request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** The live tenants, by id. */
export async function listLiveTenants(emulator: Emulator): Promise<LiveTenant[]> {
  const tenants: LiveTenant[] = [];
  for (;;) {
    const path = `/v2/tenants?limit=500&sort_by=id__ASC&skip=${tenants.length}`;
    const page = listSchema.parse(await call(emulator, "GET", path));
    if (page.length === 0) return tenants;
    for (const tenant of page) tenants.push({ ...tenant, data: await metadataOf(emulator, tenant.id) });
  }
}

/** The metadata of a tenant. */
export async function metadataOf(emulator: Emulator, id: number): Promise<Record<string, unknown>> {
  return metadataSchema.parse(await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).data;
}
