import { isDeepStrictEqual } from "node:util";
import { withCheckpoints } from "../connection/checkpoints.ts";
import { isUnknown } from "../json/unknown.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { ResourceType } from "./pulumi/type-token.ts";

/**
 * The lifecycle, whose check refuses what a killed command could not find again if the engine leaves out its checkpoints:
 * docs/decisions/checkpoints.md.
 */
export function withCheckpointsHeeded<Inputs, State, Read extends Inputs | undefined>(
  type: ResourceType,
  { checkpoints, warn }: Pick<OperationContext, "checkpoints" | "warn">,
  lifecycle: Lifecycle<Inputs, State, Read>,
): Lifecycle<Inputs, State, Read> {
  const { areLeftOut, warning } = checkpoints;
  if (warning === undefined) return lifecycle;
  return {
    ...lifecycle,
    check: async (inputs, old) => {
      warn(warning);
      const loss = areLeftOut ? lossOf(type, inputs, old) : undefined;
      if (loss !== undefined) throw new Error(`a killed command would forget ${loss}. ${withCheckpoints}`);
      return lifecycle.check(inputs, old);
    },
  };
}

/** What would be lost if the state had nothing of this `up`; `undefined` if the next `up` finds all of it. */
function lossOf(type: ResourceType, inputs: object, old: object | undefined): string | undefined {
  if (type === "TenantFleet" || type === "FleetRollout") {
    return "what a fleet's rollout, overrides and syncs have done. For a fleet, the engine writes the state a few times only";
  }
  const isChanged = (key: string) => !isDeepStrictEqual(Object(old)[key], Object(inputs)[key]);
  if (type === "Tenant" && Object(inputs).override !== undefined && isChanged("override")) {
    return "whether the tenant was paused before its override";
  }
  if (type === "SyncTrigger" && !isDeepStrictEqual(old, inputs))
    return "this sync, and the next one would ask for it again";
  const { adopt } = Object(inputs);
  if (type === "Build" && adopt !== true && !isUnknown(adopt) && ["integrationId", "tag", "branch"].some(isChanged)) {
    return "this build, and the next one would refuse its tag. Or set adopt: true, so that the next one takes its release";
  }
  return undefined;
}
