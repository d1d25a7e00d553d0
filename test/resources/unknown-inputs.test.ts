import { expect, test } from "vitest";
import { shapeFailures } from "../../src/inputs/input-schema.ts";
import { resourceKinds } from "../../src/resources/kinds.ts";

test.each([
  ["Tenant", { intergation: 101 }, [/^intergation: .*; did you mean "integration"\?/, /^integration: is required/]],
  ["Tenant", { integration: 101, tenantId: 5001 }, [/^tenantId: is not an input of a Tenant; /]],
  [
    "TenantMetadata",
    { tenantId: 5001, metadata: { plan: "gold" } },
    [/^metadata: .*; did you mean "data"\?/, /^data: is required/],
  ],
  [
    "TenantFleet",
    { integration: 101, tenant: { acme: {} } },
    [/^tenant: .*; did you mean "tenants"\?/, /^tenants: is required/],
  ],
  [
    "SyncTrigger",
    { tenant: 5001, trigers: {} },
    [/^tenant: .*; did you mean "tenantId"\?/, /^trigers: .*; did you mean "triggers"\?/],
  ],
  [
    "Build",
    { integration: 101, tag: "v2.0.0" },
    [/^integration: .*; did you mean "integrationId"\?/, /^integrationId: is required/],
  ],
  ["FleetRollout", { feet: {}, waves: [{ percent: 100 }] }, [/^feet: .*; did you mean "fleet"\?/]],
] as const)(
  "an unknown input of a %s is named before a missing one that it may stand for: %o",
  (kind, inputs, expected) => {
    const failures = shapeFailures(resourceKinds[kind].inputsSchema, inputs);
    const lines = failures.map(({ property, reason }) => `${property}: ${reason}`);
    const found = expected.map((line) => lines.findIndex((one) => line.test(one)));
    expect(found, lines.join("\n")).not.toContain(-1);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    for (const [index] of expected.entries()) expect(lines[index]).toMatch(/is not an input|is required/);
  },
);
