import { z } from "zod";

export const tenantIdArgsSchema = z.strictObject({
  /** Id of the tenant. */
  tenantId: z.int("must be the id of a tenant").positive("must be the id of a tenant"),
});

/** The id of a tenant. */
export type TenantIdArgs = z.infer<typeof tenantIdArgsSchema>;
