import { z } from "zod";
import { keyNouns } from "../../inputs/describe-issues.ts";
import { dayMessage, freezesSchema, strategyShape } from "../../resources/fleet-rollout/schema.ts";
import { fleetShape } from "../../resources/tenant-fleet/schema.ts";

const { exclude, attempt } = fleetShape.rollout.unwrap().shape;

/** A day. The engine reads 2026-12-20 as a time, which it passes on, and writes into the stack's file, in the form of Go. */
const daySchema = z
  .string(dayMessage)
  .regex(/^\d{4}-\d{2}-\d{2}( 00:00:00 \+0000 UTC)?$/, dayMessage)
  .overwrite((text) => text.slice(0, "2026-12-20".length));

/** The `rollout` of a fleet: what its `FleetRollout` takes, and what the fleet itself takes. The release is in the fleet's defaults. */
export const rolloutSchema = z
  .strictObject(
    {
      ...strategyShape,
      freeze: freezesSchema(daySchema).optional(),
      /** Keys of tenants whose release is not managed. */
      exclude,
      /** Raised to try a failed release again. */
      attempt,
    },
    "must be an object such as { waves: [{ percent: 10 }, { percent: 100 }] }",
  )
  .register(keyNouns, { noun: "a setting of a rollout" });

export type RolloutEntry = z.infer<typeof rolloutSchema>;
