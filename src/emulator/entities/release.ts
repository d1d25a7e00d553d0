import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";

/** Specification, "IntegrationRelease": as the API shows one. */
export const releaseSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  repository_tracking_branch: z.string().nullable(),
  run_command: z.string().nullable(),
  tag: z.string().nullable(),
  config_schema: jsonObjectSchema.nullable(),
  config_version: z.string(),
  metadata_schema: jsonObjectSchema.nullable(),
  created_date: z.string().nullable(),
  modified_date: z.string().nullable(),
});
export type Release = z.infer<typeof releaseSchema>;

/** A release as the emulator keeps it. */
export interface ReleaseRecord extends Release {
  readonly integration_id: number;
}
