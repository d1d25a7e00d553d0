import { z } from "zod";
import { keyNouns } from "../../inputs/describe-issues.ts";
import { minLength, nonEmptyString } from "../../inputs/string-schema.ts";
import { tenantInputsSchema } from "../../resources/tenant/schema.ts";
import { overrideSchema, untilMessage, untilSchema } from "../../settings/override.ts";
import { isoOfGoTime } from "../config/go-time.ts";

const yamlUntilSchema = z
  .string(untilMessage)
  .overwrite((text) => isoOfGoTime(text) ?? text)
  .refine((text) => untilSchema.safeParse(text).success, untilMessage);

const tenantsMessage = "must be a list of tenants, such as [acme, bluebird]";

/** One of the `overrides` of a fleet. */
export const fleetOverrideSchema = overrideSchema.extend({
  until: yamlUntilSchema.optional(),
  /** Names or keys of tenants. Default: all. */
  tenants: z
    .array(nonEmptyString(), tenantsMessage)
    .check(minLength(1, "must name at least one tenant; without tenants, the override pauses all"))
    .optional(),
});

/** One of the `overrides` of a stack. */
export const stackOverrideSchema = fleetOverrideSchema.extend({
  /** Name or id of the integration whose tenants are meant. Default: all tenants of the stack. */
  integration: tenantInputsSchema.shape.integration.optional(),
});

/** The value of `overrides`: one, or several. Each is checked with its own schema. */
export const overridesSchema = z
  .union(
    [z.looseObject({}), z.array(z.unknown())],
    "must be an override such as { paused: true, reason: INC-42 }, or a list of overrides",
  )
  .optional();

keyNouns
  .add(fleetOverrideSchema, { noun: "a setting of an override" })
  .add(stackOverrideSchema, { noun: "a setting of an override" });

export type OverrideEntry = z.infer<typeof stackOverrideSchema>;
