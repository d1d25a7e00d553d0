import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { proxyResponseSchema } from "../../src/api/connectors.ts";
import { errorMessageSchema, httpValidationErrorSchema } from "../../src/api/error-body.ts";
import { integrationSchema } from "../../src/api/integrations.ts";
import { metadataSchema } from "../../src/api/metadata.ts";
import { releaseSchema } from "../../src/api/releases.ts";
import { triggerSchema, triggerStatusSchema } from "../../src/api/runs.ts";
import { tenantSchema } from "../../src/api/tenant-schema.ts";

const fixtures = new URL("../fixtures/spec/", import.meta.url);

function read(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, fixtures), "utf8"));
}

const schemas = {
  integration: integrationSchema,
  "integration-release": releaseSchema,
  tenant: tenantSchema,
  "tenant-metadata": metadataSchema,
  trigger: triggerSchema,
  "trigger-status": triggerStatusSchema,
  "proxy-response": proxyResponseSchema,
  "error-message": errorMessageSchema,
  "http-validation-error": httpValidationErrorSchema,
};

describe("the shapes of the specification", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [variant, fixture] of Object.entries(read(name))) {
      test(`parses ${name}, ${variant}`, () => {
        expect(schema.safeParse(fixture).error).toBeUndefined();
      });
    }

    test(`keeps every documented field of ${name} unchanged`, () => {
      const { full } = read(name);
      expect(schema.parse(full)).toEqual(full);
    });

    test(`accepts unknown fields of ${name}`, () => {
      const extended = { ...Object(read(name).full), brand_new: { deep: [1] } };
      expect(schema.parse(extended)).toMatchObject({ brand_new: { deep: [1] } });
    });
  }

  test("have a fixture each", () => {
    expect(readdirSync(fixtures).length).toBe(16);
  });

  test("accept unknown enum values", () => {
    const integration = Object(read("integration").full);
    expect(
      integrationSchema.parse({ ...integration, type: "Hybrid", default_release_channel: "Canary" }),
    ).toMatchObject({
      type: "Hybrid",
      default_release_channel: "Canary",
    });
  });
});

describe("the defaults of the specification", () => {
  const emptyStatus = { last_run: {}, current_run: {}, last_successful_run: {}, dynamic_configs: {} };
  const defaults = { paused: true, configs: {}, source: "api" };

  test("replace absent fields of a tenant, and add no other fields", () => {
    const tenant = tenantSchema.parse(read("tenant").minimal);
    expect(tenant).toStrictEqual({ id: 8, name: "globex", ...defaults });
  });

  test("replace null in a tenant; a field without a default stays null", () => {
    const tenant = tenantSchema.parse(read("tenant").nulls);
    expect(tenant).toStrictEqual({
      id: 7,
      name: "acme",
      integration_id: 101,
      ...defaults,
      archived: null,
      created_date: null,
      modified_date: null,
      user_schedule: null,
      schedule: null,
      integration_release_id: null,
      integration_release_channel: null,
      status: null,
    });
  });

  test.each(Object.entries(read("tenant-status")).filter(([variant]) => variant !== "full"))(
    "replace absent fields of a status, except for whether the tenant is connected: %s",
    (_variant, status) => {
      expect(tenantSchema.parse({ id: 7, name: "acme", status }).status).toEqual(emptyStatus);
    },
  );

  test.each(Object.entries(read("tenant-auth-status")).filter(([variant]) => variant !== "full"))(
    "replace absent connectors of an auth status: %s",
    (_variant, auth) => {
      expect(tenantSchema.parse({ id: 7, name: "acme", status: { auth } }).status?.auth?.connectors).toEqual([]);
    },
  );

  test('do not replace whether a tenant is connected, as absent does not mean "not connected"', () => {
    const connectedBy = (auth: object) => tenantSchema.parse({ id: 7, name: "acme", status: { auth } }).status?.auth;
    expect(connectedBy({})?.connected).toBeUndefined();
    expect(connectedBy({ connected: null })?.connected).toBeUndefined();
    expect(connectedBy({ connected: false })?.connected).toBe(false);
  });

  test("replace absent metadata with an empty object", () => {
    expect(metadataSchema.parse(read("tenant-metadata").nulls).data).toEqual({});
  });
});
