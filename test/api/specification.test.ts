import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  errorMessageSchema,
  httpValidationErrorSchema,
  integrationSchema,
  metadataSchema,
  proxyResponseSchema,
  releaseSchema,
  tenantSchema,
  triggerSchema,
  triggerStatusSchema,
} from "../../src/api/index.ts";

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
      it(`parses ${name}, ${variant}`, () => {
        expect(schema.safeParse(fixture).error).toBeUndefined();
      });
    }

    it(`keeps every documented field of ${name} as it came`, () => {
      const { full } = read(name);
      expect(schema.parse(full)).toEqual(full);
    });

    it(`lets unknown fields of ${name} pass`, () => {
      const extended = { ...Object(read(name).full), brand_new: { deep: [1] } };
      expect(schema.parse(extended)).toMatchObject({ brand_new: { deep: [1] } });
    });
  }

  it("has a fixture of every shape", () => {
    expect(readdirSync(fixtures).length).toBe(16);
  });

  it("lets unknown enum values pass", () => {
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

  it("stand for what is absent in a tenant, and nothing else is made up", () => {
    const tenant = tenantSchema.parse(read("tenant").minimal);
    expect(tenant).toStrictEqual({ id: 8, name: "globex", ...defaults });
  });

  it("stand for what is null in a tenant, while null stays null where there is no default", () => {
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

  it.each(Object.entries(read("tenant-status")).filter(([variant]) => variant !== "full"))(
    "stand for what a status does not say, but for whether the tenant is connected: %s",
    (_variant, status) => {
      expect(tenantSchema.parse({ id: 7, name: "acme", status }).status).toEqual(emptyStatus);
    },
  );

  it.each(Object.entries(read("tenant-auth-status")).filter(([variant]) => variant !== "full"))(
    "stand for the connectors that an auth status does not list: %s",
    (_variant, auth) => {
      expect(tenantSchema.parse({ id: 7, name: "acme", status: { auth } }).status?.auth?.connectors).toEqual([]);
    },
  );

  it("do not stand for whether a tenant is connected: not told is not the same as not connected", () => {
    const connectedBy = (auth: object) => tenantSchema.parse({ id: 7, name: "acme", status: { auth } }).status?.auth;
    expect(connectedBy({})?.connected).toBeUndefined();
    expect(connectedBy({ connected: null })?.connected).toBeUndefined();
    expect(connectedBy({ connected: false })?.connected).toBe(false);
  });

  it("make absent metadata an empty object", () => {
    expect(metadataSchema.parse(read("tenant-metadata").nulls).data).toEqual({});
  });
});
