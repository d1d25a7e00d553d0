import { z } from "zod";
import { keyNouns } from "../../inputs/describe-issues.ts";
import { secretPathsSchema } from "../../inputs/input-schema.ts";
import { lenient } from "../../inputs/lenient.ts";
import { minLength } from "../../inputs/string-schema.ts";
import {
  type DeclaredOverride,
  overriddenSchema,
  overrideSchema,
  storedOverrideSchema,
} from "../../settings/override.ts";
import { schemaViolationsSchema } from "../../settings/schema-violations.ts";
import { settingsShape, storedSettingsShape } from "../../settings/table.ts";
import { keptHistoryShape } from "./observed-tenant.ts";

const adoptMessage = 'must be "never", "safe", true or the id of the tenant to take over';

/** Whether to take over an existing tenant: see `TenantArgs.adopt`. */
export const adoptSchema = z.union([z.enum(["never", "safe"]), z.literal(true), z.int().positive(adoptMessage)], {
  error: adoptMessage,
});

/** What a program declares. The type allows what a read shows, as a read returns inputs. */
export const declaredOverrideSchema: z.ZodType<DeclaredOverride> = overrideSchema;

const integrationMessage = "must be the name or the id of an integration";

/** The inputs of a `Tenant`, as the engine sends them. */
export const tenantInputsSchema = z.strictObject({
  integration: z.union([z.string().check(minLength(1, integrationMessage)), z.int().positive(integrationMessage)], {
    error: integrationMessage,
  }),
  ...settingsShape,
  adopt: adoptSchema.optional(),
  forceArchive: z.boolean("must be true or false").optional(),
  override: declaredOverrideSchema.optional(),
  schemaViolations: schemaViolationsSchema.optional(),
  /** The resource's logical name if it is not the tenant's name. It identifies the owner of the tenant. */
  logicalName: z.string().optional(),
  /** The paths of the secrets. As an input, they cause an update when a value becomes secret or no longer is. */
  secretPaths: secretPathsSchema,
});

keyNouns.add(tenantInputsSchema, { noun: "an input of a Tenant" });

/** Inputs as last observed. After a refresh, the engine compares them with the previous inputs. */
export const observedInputsSchema = z.object({
  ...tenantInputsSchema.shape,
  ...storedSettingsShape,
  override: storedOverrideSchema.optional(),
});

/** The state of a `Tenant`: its inputs as last observed, and its ids. It has no volatile fields. */
export const tenantStateSchema = z.object({
  ...observedInputsSchema.shape,
  tenantId: z.int(),
  integrationId: z.int(),
  ...keptHistoryShape,
  /** The last declared name, if it differs from the observed one. */
  declaredName: z.string().optional(),
  /**
   * What the tenant had before its override began. Absent if none is applied: before it begins, and once a read has verified
   * that the tenant has been restored. As long as it is there, `paused` is the declared value.
   */
  overridden: overriddenSchema.optional(),
});

/** The state of a `Tenant` for its deletion, which needs only the ids. Other properties are omitted if they are invalid. */
export const tenantDeletionSchema = z.object({
  ...lenient(tenantStateSchema.shape),
  name: storedSettingsShape.name.catch(""),
  integration: tenantStateSchema.shape.integration.catch(""),
});

export type TenantInputs = z.infer<typeof tenantInputsSchema>;
export type TenantState = z.infer<typeof tenantStateSchema>;
