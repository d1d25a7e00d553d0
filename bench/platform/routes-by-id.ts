import { z } from "zod";
import type { Emulator } from "../../src/emulator/index.ts";
import { call } from "./live-tenants.ts";

const declaredSchema = z.object({
  name: z.string(),
  integration_id: z.int(),
  paused: z.boolean(),
  configs: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
});
const createdSchema = z.object({ id: z.int() });

/** The path of the routes. */
export const routesById = "/by-id/tenants";

/**
 * Additional routes that create, read, change or archive a tenant with its metadata in one request. The restapi provider
 * needs them, and the platform's API does not have them. So they are the best case for the Terraform contender, and only for it.
 *
 * Returns undefined for any other request.
 */
export async function answerById(emulator: Emulator, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(routesById)) return undefined;
  const id = /^\/(\d+)$/.exec(pathname.slice(routesById.length))?.[1];
  switch (request.method) {
    case "POST":
      return Response.json(await create(emulator, declaredSchema.parse(await request.json())));
    case "GET":
      return await inspect(emulator, id);
    case "PATCH":
      return Response.json(await change(emulator, Number(id), declaredSchema.parse(await request.json())));
    case "DELETE":
      return Response.json(await call(emulator, "DELETE", `/v2/tenants/${id}`));
    default:
      return undefined;
  }
}

type Declared = z.infer<typeof declaredSchema>;

async function create(emulator: Emulator, declared: Declared): Promise<object> {
  const { name, integration_id, configs } = declared;
  const { id } = createdSchema.parse(await call(emulator, "POST", "/v2/tenants", { name, integration_id, configs }));
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, declared.metadata);
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: declared.paused });
  return { id, ...declared };
}

async function change(emulator: Emulator, id: number, declared: Declared): Promise<object> {
  const { name, configs, paused } = declared;
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { name, configs, paused });
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, declared.metadata);
  return { id, ...declared };
}

/** Reads a tenant and its metadata with one request, by the emulator's route for tests. */
async function inspect(emulator: Emulator, id: string | undefined): Promise<Response> {
  const tenant = declaredSchema.parse(await call(emulator, "GET", `/_emulator/tenants/${id}`));
  return Response.json({ id: Number(id), ...tenant });
}
