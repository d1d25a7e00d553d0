import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { providerSchemaFile, providerSchemaText } from "../../scripts/schemas.ts";
import { buildInputsSchema, buildStateSchema } from "../../src/resources/build/schema.ts";
import { fleetRolloutInputsSchema, fleetRolloutStateSchema } from "../../src/resources/fleet-rollout/schema.ts";
import { syncTriggerInputsSchema, syncTriggerStateSchema } from "../../src/resources/sync-trigger/schema.ts";
import { tenantInputsSchema, tenantStateSchema } from "../../src/resources/tenant/schema.ts";
import { tenantFleetInputsSchema, tenantFleetStateSchema } from "../../src/resources/tenant-fleet/schema.ts";
import { tenantMetadataInputsSchema, tenantMetadataStateSchema } from "../../src/resources/tenant-metadata/schema.ts";
import { overriddenSchema, overrideSchema } from "../../src/settings/override.ts";

const propertiesSchema = z.record(z.string(), z.looseObject({ description: z.string().default("") }));
const objectSchema = z.looseObject({ properties: propertiesSchema.optional() });
const schema = z
  .object({
    version: z.string(),
    types: z.record(z.string(), z.looseObject({ description: z.string(), properties: propertiesSchema.optional() })),
    resources: z.record(
      z.string(),
      z.object({
        description: z.string(),
        inputProperties: propertiesSchema,
        requiredInputs: z.array(z.string()),
        properties: propertiesSchema,
        required: z.array(z.string()),
        aliases: z.array(z.object({ type: z.string() })),
      }),
    ),
    functions: z.record(
      z.string(),
      z.object({ description: z.string(), inputs: objectSchema.optional(), outputs: objectSchema }),
    ),
    config: z.object({ variables: propertiesSchema }),
    provider: z.object({ inputProperties: propertiesSchema }),
  })
  .parse(JSON.parse(await readFile(providerSchemaFile, "utf8")));

const internal = ["secretPaths", "logicalName", "declaredName", "unreadablePaths", "shownAs", "latest"];
const resources = {
  Tenant: [tenantInputsSchema, tenantStateSchema],
  TenantFleet: [tenantFleetInputsSchema, tenantFleetStateSchema],
  TenantMetadata: [tenantMetadataInputsSchema, tenantMetadataStateSchema],
  Build: [buildInputsSchema, buildStateSchema],
  SyncTrigger: [syncTriggerInputsSchema, syncTriggerStateSchema],
  FleetRollout: [fleetRolloutInputsSchema, fleetRolloutStateSchema],
} as const;
/** What a program may use of a rollout besides its inputs. The rest of its state is for the next `up`. */
const outputsOfRollouts = ["phase", "status", "release", "moved", "tenants", "remaining", "history"];
const tenantsOf = { inputs: tenantFleetInputsSchema.shape.tenants, state: tenantFleetStateSchema.shape.tenants };

test("src/plugin/schema.json is what `npm run schemas` writes", async () => {
  expect(await readFile(providerSchemaFile, "utf8")).toBe(providerSchemaText());
}, 60_000);

describe("the schema has what the lifecycles take and store, and nothing else", () => {
  test.each(Object.entries(resources))("%s", (name, [inputs, state]) => {
    const resource = schema.resources[`integration-platform:index:${name}`];
    const visible = (shape: object) => Object.keys(shape).filter((key) => !internal.includes(key));
    expect(Object.keys(resource?.inputProperties ?? {})).toEqual(visible(inputs.shape));
    const isVisible = (key: string) => Object.hasOwn(inputs.shape, key) || outputsOfRollouts.includes(key);
    const outputs = visible(state.shape).filter((key) => name !== "FleetRollout" || isVisible(key));
    expect(Object.keys(resource?.properties ?? {})).toEqual(outputs);
  });

  test.each([
    ["FleetTenant", tenantsOf.inputs.valueType.shape],
    ["ObservedFleetTenant", tenantsOf.state.valueType.shape],
    ["FleetSync", tenantsOf.inputs.valueType.shape.sync.unwrap().shape],
    ["ObservedFleetSync", tenantsOf.state.valueType.shape.sync.unwrap().shape],
    ["Override", overrideSchema.shape],
    ["Overridden", overriddenSchema.shape],
    ["FleetLimits", tenantFleetInputsSchema.shape.limits.unwrap().shape],
    ["FleetTarget", tenantFleetInputsSchema.shape.rollout.unwrap().shape],
    ["Wave", fleetRolloutInputsSchema.shape.waves.element.shape],
    ["Gate", fleetRolloutInputsSchema.shape.gate.unwrap().shape],
    ["PastRollout", fleetRolloutStateSchema.shape.history.element.shape],
  ])("%s", (name, shape) => {
    const visible = Object.keys(shape).filter((key) => !internal.includes(key));
    expect(Object.keys(schema.types[`integration-platform:index:${name}`]?.properties ?? {})).toEqual(visible);
  });
});

test("a program has to write what the lifecycles need, except the name, which the provider fills in", () => {
  const required = Object.entries(resources).map(([name, [{ shape }]]) => [
    name,
    Object.entries(shape).flatMap(([key, value]) => (value.isOptional() || key === "name" ? [] : [key])),
  ]);
  const inSchema = Object.entries(schema.resources).map(([token, { requiredInputs }]) => [
    token.split(":").at(-1),
    requiredInputs,
  ]);
  expect(inSchema).toEqual(required);
});

test("everything has a description", () => {
  const all = [
    ...Object.entries(schema.types).map(([token, { description, properties }]) => ({ token, description, properties })),
    ...Object.entries(schema.resources).flatMap(([token, { description, inputProperties, properties }]) => [
      { token, description, properties: inputProperties },
      { token, description, properties },
    ]),
    ...Object.entries(schema.functions).flatMap(([token, { description, inputs, outputs }]) => [
      { token, description, properties: inputs?.properties },
      { token, description, properties: outputs.properties },
    ]),
    { token: "config", description: "-".repeat(11), properties: schema.config.variables },
    { token: "provider", description: "-".repeat(11), properties: schema.provider.inputProperties },
  ];
  const undescribed = all.flatMap(({ token, description, properties = {} }) => [
    ...(description.length > 10 ? [] : [token]),
    ...Object.entries(properties).flatMap(([key, property]) =>
      property.description.length > 10 ? [] : [`${token}.${key}`],
    ),
  ]);
  expect([all.length > 30, undescribed]).toEqual([true, []]);
});

test("docstrings are Markdown without links of TypeScript", () => {
  expect(JSON.stringify(schema)).not.toMatch(/\{@|TODO|RunError/);
});

test("each resource takes over the dynamic provider's resource of the same name", () => {
  const aliases = Object.entries(schema.resources).map(
    ([
      token,
      {
        aliases: [alias],
      },
    ]) => [token, alias?.type],
  );
  expect(aliases).toEqual(
    Object.keys(resources).map((name) => [
      `integration-platform:index:${name}`,
      `pulumi-nodejs:dynamic/integration-platform:${name}`,
    ]),
  );
});

test("each resource has an example in every language", () => {
  for (const { description } of Object.values(schema.resources)) {
    const languages = [...description.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    expect(languages).toEqual(expect.arrayContaining(["typescript", "python", "go", "csharp", "java", "yaml"]));
  }
});

test("no SDK writes the API key of the environment into the state", () => {
  expect(JSON.stringify([schema.config, schema.provider])).not.toContain("defaultInfo");
  expect(schema.provider.inputProperties.apiKey).toMatchObject({ secret: true });
});
