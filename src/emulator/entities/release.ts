import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { jsonObjectSchema } from "../rules/json.ts";

/** A release as the API shows it: specification, "IntegrationRelease". */
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

/** A release as the emulator stores it. */
export interface ReleaseRecord extends Release {
  readonly integration_id: number;
}

/** Specification, "CreateBuild". */
export const createBuildSchema = z.object({
  tag: z.string().check(minLength(1)),
  integration_id: z.int(),
  branch: z.string().nullish(),
});

/** A build as the emulator stores it. */
export interface BuildRecord {
  readonly id: number;
  readonly integration_id: number;
  readonly tag: string;
  readonly branch: string | null;
  readonly created_date: string;
  /** null until the build ends. In the variant `builds=never` it never ends. */
  readonly completed_date: string | null;
  /** The number of releases that the build makes; see the variant `builds`. */
  readonly copies: number;
  readonly release_ids: readonly number[];
}
