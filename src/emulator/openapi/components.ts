import { z } from "zod";
import { integrationSchema } from "../entities/integration.ts";
import { createBuildSchema, releaseSchema } from "../entities/release.ts";
import { tenantFieldsSchema } from "../entities/tenant.ts";
import { createTenantSchema } from "../operations/create-tenant.ts";
import { proxyRestSchema, proxyXmlSchema } from "../operations/proxy-request.ts";
import { updateTenantSchema } from "../operations/update-tenant.ts";
import { type JsonObject, jsonObjectSchema } from "../rules/json.ts";
import { requestSchema, responseSchema } from "./json-schema.ts";

/** The schemas that endpoints refer to by name: those that check requests, and those of responses. */
export function componentSchemas(): JsonObject {
  const describeAll = (given: Readonly<Record<string, z.ZodType>>, describe: (schema: z.ZodType) => JsonObject) =>
    Object.entries(given).map(([name, schema]) => [name, describe(schema)]);
  return Object.fromEntries([...describeAll(requests, requestSchema), ...describeAll(responses, responseSchema)]);
}

const requests = {
  CreateBuild: createBuildSchema,
  CreateTenant: createTenantSchema,
  UpdateTenant: updateTenantSchema,
  FreeForm: jsonObjectSchema,
  ProxyRestRequestBody: proxyRestSchema,
  ProxyXmlRequestBody: proxyXmlSchema,
};

const externalDetail = z
  .string()
  .meta({ description: "an object as a string of JSON, with the external service's response under `data`" });

const responses = {
  Integration: integrationSchema,
  IntegrationRelease: releaseSchema,
  Tenant: tenantFieldsSchema.omit({ user_name: true, runs: true }).extend({ id: z.int() }),
  TenantMetadata: z.object({
    tenant_id: z.int(),
    data: jsonObjectSchema,
    created_date: z.string().nullable(),
    modified_date: z.string().nullable(),
  }),
  Trigger: z.object({ trigger_id: z.string() }),
  TriggerStatus: z.object({ status: z.string() }),
  ProxyResponse: z.object({ data: z.unknown() }),
  ProxyInternalError: z.object({ detail: z.string() }),
  ProxyExternalError: z.object({ detail: externalDetail }),
  ErrorMessage: z.object({ message: z.string() }),
  KeyRefused: z.object({ detail: z.string() }),
  HTTPValidationError: z.object({
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
};

export type ComponentName = keyof typeof requests | keyof typeof responses;

/** A reference to one of the schemas. */
export function reference(name: ComponentName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
