import { z } from "zod";
import { createBuildSchema } from "../entities/build.ts";
import { integrationSchema } from "../entities/integration.ts";
import { type JsonObject, jsonObjectSchema } from "../entities/json.ts";
import { releaseSchema } from "../entities/release.ts";
import { tenantFieldsSchema } from "../entities/tenant.ts";
import { createTenantSchema } from "../operations/create-tenant.ts";
import { proxyRestSchema, proxyXmlSchema } from "../operations/proxy-request.ts";
import { updateTenantSchema } from "../operations/update-tenant.ts";
import { answerSchema, requestSchema } from "./json-schema.ts";

/** The schemas that operations refer to by name: of requests as they are checked, of answers as they are given. */
export const components = {
  CreateBuild: requestSchema(createBuildSchema),
  CreateTenant: requestSchema(createTenantSchema),
  UpdateTenant: requestSchema(updateTenantSchema),
  FreeForm: requestSchema(jsonObjectSchema),
  ProxyRestRequestBody: requestSchema(proxyRestSchema),
  ProxyXmlRequestBody: requestSchema(proxyXmlSchema),

  Integration: answerSchema(integrationSchema),
  IntegrationRelease: answerSchema(releaseSchema),
  Tenant: answerSchema(tenantFieldsSchema.omit({ user_name: true, runs: true }).extend({ id: z.int() })),
  TenantMetadata: answerSchema(
    z.object({
      tenant_id: z.int(),
      data: jsonObjectSchema,
      created_date: z.string().nullable(),
      modified_date: z.string().nullable(),
    }),
  ),
  Trigger: answerSchema(z.object({ trigger_id: z.string() })),
  TriggerStatus: answerSchema(z.object({ status: z.string() })),
  ProxyResponse: answerSchema(z.object({ data: z.unknown() })),
  ProxyInternalError: answerSchema(z.object({ detail: z.string() })),
  ProxyExternalError: answerSchema(
    z.object({
      detail: z.string().meta({ description: "a stringified object with the external answer under `data`" }),
    }),
  ),
  ErrorMessage: answerSchema(z.object({ message: z.string() })),
  KeyRefused: answerSchema(z.object({ detail: z.string() })),
  HTTPValidationError: answerSchema(
    z.object({
      detail: z.array(
        z.object({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
          input: z.unknown().optional(),
          ctx: jsonObjectSchema.optional(),
        }),
      ),
    }),
  ),
} satisfies Record<string, JsonObject>;

export type ComponentName = keyof typeof components;

/** A reference to one of them. */
export function reference(name: ComponentName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
