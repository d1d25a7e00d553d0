import { z } from "zod";
import { freeFormSchema } from "../resources/input-schema.ts";
import { tenantInputsSchema } from "../resources/tenant/schema.ts";

const { integration, name, schedule, release, paused, adopt, forceArchive } = tenantInputsSchema.shape;

/** What stands under `integration-platform:tenantDefaults`, and is merged under every tenant. */
export const tenantDefaultsSchema = z.strictObject(
  {
    integration: integration.optional(),
    schedule,
    release,
    paused,
    configs: freeFormSchema.optional(),
    metadata: freeFormSchema.optional(),
    adopt,
    forceArchive,
  },
  "must be an object of tenant settings",
);

/** What stands under a key of `integration-platform:tenants`. The key is the name of the resource. */
export const tenantEntrySchema = tenantDefaultsSchema.extend({
  /** The tenant's name; default: the key. */
  name: name.optional(),
  /** A key that this one had before: renames it without archiving anything. */
  formerly: z
    .union([z.string().min(1), z.array(z.string().min(1))], "must be a former key, or a list of them")
    .optional(),
});

/** The whole config namespace `integration-platform`. */
export const stackSchema = z.strictObject({
  baseUrl: z.string("must be a URL").optional(),
  apiKey: z.string("must be a text").optional(),
  allowInsecureHttp: z.union([z.string(), z.array(z.string())], "must be a list of host names").optional(),
  tenantDefaults: tenantDefaultsSchema.optional(),
  tenants: z.record(z.string(), tenantEntrySchema, "must be an object of tenants by name").optional(),
});

export type TenantDefaults = z.infer<typeof tenantDefaultsSchema>;
export type TenantEntry = z.infer<typeof tenantEntrySchema>;
export type StackConfig = z.infer<typeof stackSchema>;
