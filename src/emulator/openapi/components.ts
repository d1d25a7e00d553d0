import { z } from "zod";
import { integrationSchema } from "../entities/integration.ts";
import { createBuildSchema, releaseSchema } from "../entities/release.ts";
import { tenantFieldsSchema } from "../entities/tenant.ts";
import { proxyRestSchema, proxyXmlSchema } from "../operations/proxy-request.ts";
import { createTenantSchema, updateTenantSchema } from "../operations/tenants.ts";
import { type JsonObject, jsonObjectSchema } from "../rules/json.ts";
import { requestSchema, responseSchema } from "./json-schema.ts";

/** The schemas that endpoints refer to by name: those that check requests, and those of responses. */
export function componentSchemas(): Readonly<Record<string, JsonObject>> {
  const sections: Readonly<Record<string, string>> = descriptions;
  const describeAll = (given: Readonly<Record<string, z.ZodType>>, describe: (schema: z.ZodType) => JsonObject) =>
    Object.entries(given).map(([name, schema]) => [name, { description: sections[name], ...describe(schema) }]);
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
    data: jsonObjectSchema.nullable(),
    created_date: z.string().nullable(),
    modified_date: z.string().nullable(),
  }),
  Run: z.object({
    id: z.int(),
    mode: z.string(),
    status: z
      .object({
        phase: z.string().nullable(),
        startTime: z.string().nullable(),
        completionTime: z.string().nullable(),
      })
      .nullable(),
    triggers: z
      .array(
        z.object({
          id: z.int(),
          created_date: z.string(),
          mode: z.string(),
          source: z.string(),
          payload: jsonObjectSchema.nullable(),
        }),
      )
      .nullable(),
    started_date: z.string().nullable(),
    completed_date: z.string().nullable(),
    tenant_id: z.int().nullable(),
    integration_id: z.int().nullable(),
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

/** What each schema is, and the section of the specification that has it. */
const descriptions: Readonly<Record<ComponentName, string>> = {
  CreateBuild: 'The request of a build. Specification, "CreateBuild"',
  CreateTenant: 'A new tenant. Specification, "CreateTenant"',
  UpdateTenant:
    "The changes of a tenant. Fields that it does not have stay unchanged. The specification does not show it",
  FreeForm: "Any JSON object. Where it is a response, the specification does not show its fields",
  ProxyRestRequestBody: 'The call that a connector makes. Specification, "Proxy bodies"',
  ProxyXmlRequestBody:
    'The SOAP or XML call that a connector makes. Specification, "Proxy bodies", shows three of the fields',
  Integration: 'Specification, "Integration"',
  IntegrationRelease: 'A versioned build of an integration. Specification, "IntegrationRelease"',
  Tenant: 'An installed instance of an integration. Specification, "Tenant"',
  TenantMetadata: 'Specification, "TenantMetadata"',
  Run: "A run of a tenant. The specification does not show its fields: see the variant `runsList`",
  Trigger: 'The handle of a requested sync. Specification, "Trigger and TriggerStatus"',
  TriggerStatus: 'The status of the run that a trigger led to. Specification, "Trigger and TriggerStatus"',
  ProxyResponse: 'What the external service answered. Specification, "Proxy bodies"',
  ProxyInternalError: 'The platform could not make the call. Specification, "Proxy bodies"',
  ProxyExternalError: 'The external service answered with an error. Specification, "Proxy bodies"',
  ErrorMessage: 'Specification, "Error shapes"',
  KeyRefused: "The specification does not show it",
  HTTPValidationError: 'Says what is wrong with a request, and where. Specification, "Error shapes"',
};

/** A reference to one of the schemas. */
export function reference(name: ComponentName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
