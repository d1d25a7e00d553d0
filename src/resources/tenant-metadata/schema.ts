import { z } from "zod";
import { freeFormSchema, secretPathsSchema } from "../../inputs/input-schema.ts";
import { lenient } from "../../inputs/lenient.ts";
import { declaredObjectSchema } from "../../secrets/declared-object.ts";
import { keptHistoryShape } from "../tenant/observed-tenant.ts";

/** The inputs of a `TenantMetadata`, as the engine sends them. */
export const tenantMetadataInputsSchema = z.strictObject({
  tenantId: z.int("must be the id of a tenant").positive("must be the id of a tenant"),
  data: declaredObjectSchema,
  /** The resource's logical name. It identifies the owner of the keys. */
  logicalName: z.string().optional(),
  /** The paths of the secrets. As an input, they cause an update when a value becomes secret or no longer is. */
  secretPaths: secretPathsSchema,
});

/** The state of a `TenantMetadata`: its inputs as last observed. */
export const tenantMetadataStateSchema = z.object({
  ...tenantMetadataInputsSchema.shape,
  data: freeFormSchema,
  /** As in a `Tenant`'s state, with paths that begin with `data`. */
  unreadablePaths: keptHistoryShape.unreadablePaths,
  shownAs: keptHistoryShape.shownAs,
});

/** The state of a `TenantMetadata` for its deletion. If the stored keys are invalid, no keys are removed. */
export const tenantMetadataDeletionSchema = z.object({
  ...lenient(tenantMetadataStateSchema.shape),
  data: freeFormSchema.catch({}),
});

export type TenantMetadataInputs = z.infer<typeof tenantMetadataInputsSchema>;
export type TenantMetadataState = z.infer<typeof tenantMetadataStateSchema>;
