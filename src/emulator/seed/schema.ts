import { z } from "zod";
import { minLength } from "../../text-schema.ts";
import { integrationRecordSchema } from "../entities/integration.ts";
import { jsonObjectSchema } from "../entities/json.ts";
import { releaseSchema } from "../entities/release.ts";
import { settingsChangeSchema } from "../entities/settings.ts";
import { tenantFieldsSchema } from "../entities/tenant.ts";
import { cronSchema } from "../rules/cron.ts";

const id = z.int().positive();

/** A release in a seed: what is not given is null, `config_version` "1". */
export const seedReleaseSchema = releaseSchema
  .partial()
  .extend({ id: id.optional(), name: z.string().check(minLength(1)), config_version: z.string().default("1") });
export type SeedRelease = z.input<typeof seedReleaseSchema>;

/** An integration in a seed, with its releases. What is not given is empty or null; `type` is "Internal". */
export const seedIntegrationSchema = integrationRecordSchema.partial().extend({
  id: id.optional(),
  name: z.string().check(minLength(1)),
  default_schedule: cronSchema.nullish(),
  releases: z.array(seedReleaseSchema).default([]),
});
export type SeedIntegration = z.input<typeof seedIntegrationSchema>;

/**
 * A tenant in a seed: its integration by name or id, any field of a tenant, and its metadata. What is not given is as
 * POST would leave it. Values are taken as they are, so a seed can hold what the API would refuse.
 */
export const seedTenantSchema = tenantFieldsSchema.partial().extend({
  id: id.optional(),
  integration: z.union([z.string(), z.int()], "must be the name or the id of an integration").optional(),
  name: z.string(),
  metadata: jsonObjectSchema.optional(),
});
export type SeedTenant = z.input<typeof seedTenantSchema>;

/** What an emulator begins with. */
export const seedSchema = z.strictObject({
  integrations: z.array(seedIntegrationSchema).default([]),
  tenants: z.array(seedTenantSchema).default([]),
  /** The account, the primary contact, the webhook URL and what is notified of which event. */
  settings: settingsChangeSchema.optional(),
});
export type Seed = z.input<typeof seedSchema>;
export type ParsedSeed = z.output<typeof seedSchema>;
