import { z } from "zod";
import { freeFormSchema, secretPathsSchema } from "../../inputs/input-schema.ts";
import { lenient } from "../../inputs/lenient.ts";
import { nonEmptyString } from "../../inputs/string-schema.ts";
import { overrideSchema } from "../../settings/override.ts";

const wordsSchema = z.array(nonEmptyString(), "must be a list of status words");

/** The inputs of a `SyncTrigger`, as the engine sends them. */
export const syncTriggerInputsSchema = z
  .strictObject({
    tenantId: z.int("must be the id of a tenant").positive("must be the id of a tenant").optional(),
    integrationId: z.int("must be the id of an integration").positive("must be the id of an integration").optional(),
    userName: nonEmptyString().optional(),
    mode: z.enum(["init", "normal"], 'must be "init" or "normal"'),
    payload: freeFormSchema.optional(),
    triggers: freeFormSchema.optional(),
    wait: z.boolean("must be true or false").optional(),
    timeoutSeconds: z.number("must be a number of seconds").positive("must be more than 0").optional(),
    whenUnconnected: z.enum(["skip", "fail"], 'must be "skip" or "fail"').optional(),
    succeededStatuses: wordsSchema.optional(),
    failedStatuses: wordsSchema.optional(),
    failOnError: z.boolean("must be true or false").optional(),
    override: overrideSchema.optional(),
    /** The paths of the secrets. As an input, they cause an update when a value becomes secret or no longer is. */
    secretPaths: secretPathsSchema,
  })
  .refine(
    ({ tenantId, integrationId, userName }) =>
      tenantId === undefined
        ? integrationId !== undefined && userName !== undefined
        : integrationId === undefined && userName === undefined,
    {
      error: "must have either tenantId, or integrationId and userName",
      path: ["tenantId"],
    },
  );

/** The state of a `SyncTrigger`: its inputs and the outcome of the last sync. */
export const syncTriggerStateSchema = z.object({
  ...syncTriggerInputsSchema.shape,
  triggerId: z.string().optional(),
  status: z.string().optional(),
  outcome: z.enum(["requested", "succeeded", "failed", "unknown", "skipped"]),
  secondsWaited: z.number().optional(),
});

/** The state of a `SyncTrigger` for its deletion. All of it may be invalid, as deleting does nothing. */
export const syncTriggerDeletionSchema = z.object({
  ...lenient(syncTriggerStateSchema.shape),
  mode: syncTriggerInputsSchema.shape.mode.catch("normal"),
  outcome: syncTriggerStateSchema.shape.outcome.catch("unknown"),
});

export type SyncTriggerInputs = z.infer<typeof syncTriggerInputsSchema>;
export type SyncTriggerState = z.infer<typeof syncTriggerStateSchema>;
