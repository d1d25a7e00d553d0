import { z } from "zod";
import { filledText } from "../../text-schema.ts";
import { freeFormSchema, secretPathsSchema } from "../input-schema.ts";
import { lenient } from "../state-schema.ts";

const wordsSchema = z.array(filledText(), "must be a list of status words");

/** The inputs of a `SyncTrigger`, as the engine hands them over. */
export const syncTriggerInputsSchema = z
  .strictObject({
    tenantId: z.int("must be the id of a tenant").positive("must be the id of a tenant").optional(),
    integrationId: z.int("must be the id of an integration").positive("must be the id of an integration").optional(),
    userName: filledText().optional(),
    mode: z.enum(["init", "normal"], 'must be "init" or "normal"'),
    payload: freeFormSchema.optional(),
    triggers: freeFormSchema.optional(),
    wait: z.boolean("must be true or false").optional(),
    timeoutSeconds: z.number("must be a number of seconds").positive("must be more than 0").optional(),
    whenUnconnected: z.enum(["skip", "fail"], 'must be "skip" or "fail"').optional(),
    succeededStatuses: wordsSchema.optional(),
    failedStatuses: wordsSchema.optional(),
    failOnError: z.boolean("must be true or false").optional(),
    /** Where the secrets are: a leaf that becomes secret, or no longer is, must be stored anew. */
    secretPaths: secretPathsSchema,
  })
  .refine(
    ({ tenantId, integrationId, userName }) =>
      tenantId === undefined
        ? integrationId !== undefined && userName !== undefined
        : integrationId === undefined && userName === undefined,
    {
      error: "give the tenant one way only: tenantId, or integrationId and userName",
      path: ["tenantId"],
    },
  );

/** What is stored of a `SyncTrigger`: its inputs and how the last sync went. */
export const syncTriggerStateSchema = z.object({
  ...syncTriggerInputsSchema.shape,
  triggerId: z.string().optional(),
  status: z.string().optional(),
  verdict: z.enum(["requested", "succeeded", "failed", "unknown", "skipped"]),
  secondsWaited: z.number().optional(),
});

/** What deleting a stored `SyncTrigger` needs: nothing, as a sync cannot be taken back. */
export const syncTriggerDeletionSchema = z.object({
  ...lenient(syncTriggerStateSchema.shape),
  mode: syncTriggerInputsSchema.shape.mode.catch("normal"),
  verdict: syncTriggerStateSchema.shape.verdict.catch("unknown"),
});

export type SyncTriggerInputs = z.infer<typeof syncTriggerInputsSchema>;
export type SyncTriggerState = z.infer<typeof syncTriggerStateSchema>;
