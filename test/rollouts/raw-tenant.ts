import { z } from "zod";
import type { Scene } from "./scene.ts";

const rawSchema = z.object({
  id: z.int(),
  name: z.string(),
  archived: z.boolean().nullable(),
  paused: z.boolean().nullable(),
  integration_release_id: z.int().nullable(),
  integration_release_channel: z.string().nullable(),
  status: z
    .object({ auth: z.object({ connected: z.boolean().optional() }).nullish(), current_run: z.unknown() })
    .nullable(),
});

/** A tenant as the platform stores it. */
export interface RawTenant {
  readonly id: number;
  readonly name: string;
  readonly isArchived: boolean;
  /** Whether it can run: it is neither paused nor unconnected. */
  readonly canRun: boolean;
  readonly isRunning: boolean;
  /** The id of its release, or its channel, as a string. */
  readonly runs: string | undefined;
}

const firstId = 5001;

/** All tenants that ever existed, by id. */
export async function readAll(scene: Scene): Promise<Map<number, RawTenant>> {
  const tenants = new Map<number, RawTenant>();
  for (let id = firstId; ; id += 1) {
    const tenant = await readOne(scene, id);
    if (tenant === undefined) return tenants;
    tenants.set(id, tenant);
  }
}

export async function readOne(scene: Scene, id: number): Promise<RawTenant | undefined> {
  const found = await scene.call("GET", `/_emulator/tenants/${id}`).catch(() => undefined);
  if (found === undefined) return undefined;
  const { name, archived, paused, integration_release_id, integration_release_channel, status } =
    rawSchema.parse(found);
  return {
    id,
    name,
    isArchived: archived === true,
    canRun: paused === false && status?.auth?.connected === true,
    isRunning: Object.keys(Object(status?.current_run)).length > 0,
    runs: integration_release_channel ?? (integration_release_id === null ? undefined : String(integration_release_id)),
  };
}
