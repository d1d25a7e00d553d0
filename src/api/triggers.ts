import { z } from "zod";
import { wireObject } from "./wire-schema.ts";

/** `init` fills what the integration has to know first; `normal` is the usual sync. */
export type SyncMode = "init" | "normal";

/** The handle of a requested sync; `runs.getTriggerStatus` tells what became of it. */
export type Trigger = z.infer<typeof triggerSchema>;

export const triggerSchema = wireObject({ trigger_id: z.string() });

/** The status of the run that a trigger brought about. Its values are not documented. */
export type TriggerStatus = z.infer<typeof triggerStatusSchema>;

export const triggerStatusSchema = wireObject({ status: z.string() });
