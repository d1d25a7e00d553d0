import { z } from "zod";
import { freeFormSchema, secretPathsSchema } from "../input-schema.ts";
import { lenient } from "../state-schema.ts";

/** The inputs of a `TenantMetadata`, as the engine hands them over. */
export const tenantMetadataInputsSchema = z.strictObject({
  tenantId: z.int("must be the id of a tenant").positive("must be the id of a tenant"),
  data: freeFormSchema,
  /** The resource's logical name: which resource answers for the keys. */
  logicalName: z.string().optional(),
  /** Where the secrets are: a leaf that becomes secret, or no longer is, must be stored anew. */
  secretPaths: secretPathsSchema,
});

/** What is stored of a `TenantMetadata`: its inputs as last observed on the platform. */
export const tenantMetadataStateSchema = z.object({
  ...tenantMetadataInputsSchema.shape,
  /** Where declared values did not come back as they were last written, because the platform hides them. Absent: nowhere. */
  unreadablePaths: z.array(z.array(z.string())).optional(),
});

/** What deleting a stored `TenantMetadata` needs. Keys that cannot be read stay on the platform. */
export const tenantMetadataDeletionSchema = z.object({
  ...lenient(tenantMetadataStateSchema.shape),
  data: freeFormSchema.catch({}),
});

export type TenantMetadataInputs = z.infer<typeof tenantMetadataInputsSchema>;
export type TenantMetadataState = z.infer<typeof tenantMetadataStateSchema>;
