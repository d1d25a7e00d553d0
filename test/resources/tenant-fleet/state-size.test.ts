import { expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import type { TenantFleetInputs } from "../../../src/resources/tenant-fleet/schema.ts";
import { stage } from "../stage.ts";
import { fleet, operation } from "./fleet-stage.ts";

function fleetOf(count: number, configs: object, more: object = {}) {
  const tenants = Array.from({ length: count }, (_, index) => [`tenant-${index}`, { configs, ...more }]);
  return { ...fleet, tenants: Object.fromEntries(tenants) };
}

test("a fleet whose state would be too large is refused before anything is written, with what to do", async () => {
  await using on = await stage();
  const inputs = fleetOf(11, { region: "eu", note: "ü".repeat(475_000) });
  const failures = await operation(on).check(inputs, undefined);
  expect(failures).toEqual([
    { property: "tenants", reason: expect.stringMatching(/at most 10\.0 MB .* about 10\.5 MB.*Divide the fleet/) },
  ]);
  expect(await operation(on).check(inputs, inputs)).toEqual(failures);
  expect(on.writes()).toEqual([]);
});

test("the marks of secrets count", async () => {
  await using on = await stage();
  const configs = { region: "eu", api_token: "t", note: "x".repeat(750) };
  expect(await operation(on).check(fleetOf(8000, configs), undefined)).toEqual([]);
  const secret = fleetOf(8000, configs, { secretPaths: [["configs", "api_token"]] });
  expect(await operation(on).check(secret, undefined)).toMatchObject([{ property: "tenants" }]);
});

test.each([
  [10_000, 200],
  [10_000, 600],
  [10, 900_000],
])("a fleet of %d tenants with configs of %d bytes is accepted", async (count, bytes) => {
  await using on = await stage();
  const inputs = fleetOf(count, { region: "eu", note: "x".repeat(bytes) });
  expect(await operation(on).check(inputs, undefined)).toEqual([]);
});

test("three values of a tenant's ten in forms of the platform's own add at most 15% to the state", async () => {
  const tenant = {
    schedule: "*/15 * * * *",
    release: { channel: "Latest" },
    configs: {
      region: "eu",
      owner: "Ann ",
      note: " as agreed",
      invoice_prefix: "ACME-2026-",
      billing_contact: "billing@acme.example",
      sync_window: { from: "2026-01-01", to: "2026-12-31" },
      accounts: ["sales", "support", "finance"],
    },
    metadata: { plan: " gold", crm_account: "0015g00000XyZabAAB" },
  };
  const keys = Array.from({ length: 20 }, (_, index) => `customer-${index}`);
  const inputs = {
    ...fleet,
    tenants: Object.fromEntries(keys.map((key) => [key, tenant])),
  } satisfies TenantFleetInputs;
  const stateOn = async (variants: Partial<Variants>) => {
    await using on = await stage({ variants });
    const { state } = await operation(on).create(inputs);
    return state;
  };
  const [plain, own] = [await stateOn({}), await stateOn({ textForm: "trimmed" })];
  const pointers = Object.keys(own.tenants["customer-0"]?.shownAs ?? {});
  expect(pointers).toEqual(["/configs/owner", "/configs/note", "/metadata/plan"]);
  const bytesOf = (state: object) => JSON.stringify({ inputs, outputs: state }).length; // the engine keeps both
  expect(bytesOf(own) / bytesOf(plain)).toBeLessThanOrEqual(1.15);
});
