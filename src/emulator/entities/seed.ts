import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { cronSchema } from "../rules/cron.ts";
import { jsonObjectSchema } from "../rules/json.ts";
import { integrationRecordSchema } from "./integration.ts";
import { releaseSchema } from "./release.ts";
import { settingsChangeSchema } from "./settings.ts";
import { tenantFieldsSchema } from "./tenant.ts";

const id = z.int().positive();

/** A release in a seed. Absent fields are null; an absent `config_version` is "1.0". */
export const seedReleaseSchema = releaseSchema
  .partial()
  .extend({ id: id.optional(), name: z.string().check(minLength(1)), config_version: z.string().default("1.0") });
export type SeedRelease = z.input<typeof seedReleaseSchema>;

/** An integration in a seed, with its releases. Absent fields are empty or null; an absent `type` is "Internal". */
export const seedIntegrationSchema = integrationRecordSchema.partial().extend({
  id: id.optional(),
  name: z.string().check(minLength(1)),
  default_schedule: cronSchema.nullish(),
  releases: z.array(seedReleaseSchema).default([]),
});
export type SeedIntegration = z.input<typeof seedIntegrationSchema>;

/**
 * A tenant in a seed: its integration by name or id, any fields of a tenant, and its metadata. Absent fields have the
 * values that POST gives them. A seed may have values that the API refuses.
 */
export const seedTenantSchema = tenantFieldsSchema.partial().extend({
  id: id.optional(),
  integration: z.union([z.string(), z.int()], "must be the name or the id of an integration").optional(),
  name: z.string(),
  metadata: jsonObjectSchema.nullish(),
});
export type SeedTenant = z.input<typeof seedTenantSchema>;

/** The records of a new emulator. */
export const seedSchema = z.strictObject({
  integrations: z.array(seedIntegrationSchema).default([]),
  tenants: z.array(seedTenantSchema).default([]),
  /** The account, the primary contact, the webhook URL, and the notifications of each event. */
  settings: settingsChangeSchema.optional(),
});
export type Seed = z.input<typeof seedSchema>;
export type ParsedSeed = z.output<typeof seedSchema>;
