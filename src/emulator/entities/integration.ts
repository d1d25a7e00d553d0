import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { buildScriptSchema, runScriptSchema } from "./script.ts";
import { targetSchema } from "./target.ts";

/** Specification, "Integration": Connector. */
export const connectorSchema = z.strictObject({ name: z.string().check(minLength(1)), isGlobal: z.boolean() });
export type Connector = z.infer<typeof connectorSchema>;

/** Specification, "Integration": Category. */
export const categorySchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string().nullish(),
  order_index: z.number(),
});

/** Specification, "Integration": Tag. */
export const tagSchema = z.strictObject({ id: z.int(), name: z.string(), description: z.string().nullish() });

/** Specification, "Integration": Flag. */
export const flagSchema = z.strictObject({ id: z.int(), name: z.string(), flag_color: z.string().nullish() });

/** Specification, "Integration": IntegrationReleaseChannel. */
export const releaseChannelSchema = z.enum(["Latest", "Default"]);
export type ReleaseChannel = z.infer<typeof releaseChannelSchema>;

/** An integration as the API shows it: specification, "Integration". */
export const integrationSchema = z.strictObject({
  id: z.int(),
  created_date: z.string().nullable(),
  modified_date: z.string().nullable(),
  name: z.string(),
  long_name: z.string(),
  connectors: z.array(connectorSchema).nullable(),
  repository_path: z.string().nullable(),
  repository_tracking_branch: z.string().nullable(),
  repository_url: z.string().nullable(),
  type: z.enum(["Internal", "External", "Platform"]),
  categories: z.array(categorySchema).nullable(),
  tags: z.array(tagSchema).nullable(),
  flag: flagSchema.nullable(),
  default_release_id: z.int().nullable(),
  default_release_channel: releaseChannelSchema.nullable(),
});
export type Integration = z.infer<typeof integrationSchema>;

const connectorRecordSchema = connectorSchema.extend({ target: targetSchema.optional() });
/** A connector with its external service. */
export type ConnectorRecord = z.infer<typeof connectorRecordSchema>;

/** An integration as the emulator stores it, with fields that the API does not show. */
export const integrationRecordSchema = integrationSchema.extend({
  connectors: z.array(connectorRecordSchema).nullable(),
  archived: z.boolean(),
  /** The schedule of tenants without an own schedule: a cron string, in UTC. */
  default_schedule: z.string().nullable(),
  runs: runScriptSchema.optional(),
  builds: z.array(buildScriptSchema).optional(),
});
export type IntegrationRecord = z.infer<typeof integrationRecordSchema>;
