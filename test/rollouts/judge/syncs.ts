import type { Fleet } from "../declared.ts";
import { readOne } from "../raw-tenant.ts";
import { isFrozen } from "./calendar.ts";
import type { Case } from "./case.ts";

/** Judges a request for a sync of a tenant. */
export async function judgeSync(of: Case, tenantId: number, fleet: Fleet, key: string | undefined): Promise<void> {
  const { strategy } = fleet;
  const what = `a sync of tenant ${tenantId} (${key})`;
  if (strategy.paused) of.violate(`12: asks for ${what} while the rollout is paused`);
  if (isFrozen(strategy, of.beganAt) && isFrozen(strategy, of.scene.now()))
    of.violate(`12: asks for ${what} in a freeze`);
  const tenant = await readOne(of.scene, tenantId);
  const isShown = of.scene.variants.visibility === "immediate";
  if (tenant?.canRun === false && isShown) of.violate(`gate: asks for ${what}, which is paused or not connected`);
  if (key !== undefined && (fleet.exclude.includes(key) || fleet.tenants.get(key)?.release !== undefined))
    of.violate(`1: asks for ${what}, which is excluded or pinned`);
}
