import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { call } from "../../emulator/running-emulator.ts";
import { failureOf, type Stage, stage } from "../stage.ts";
import { consistencyTimeoutOf, variantsForImport } from "../variants-for-import.ts";
import { operation } from "./fleet-stage.ts";

const secret = "plain-secret-7f3a";

/** Tenants of the console: two with one name, and one whose key is taken by the id of a namesake. */
const tenants = [
  { name: "zebra", paused: true, configs: { region: "us" }, metadata: { plan: "gold" } },
  { name: "acme", user_schedule: "0 1 * * *", configs: { region: "eu", api_token: secret } },
  { name: "acme", integration_release_channel: "Latest", integration_release_id: null },
  { name: "acme-5003", metadata: { plan: "silver", api_key: secret } },
];

const declared = {
  "acme-5002": {
    name: "acme",
    schedule: "0 1 * * *",
    release: { tag: "v1.0.0" },
    paused: false,
    configs: { region: "eu" },
  },
  "acme-5003-5003": { name: "acme", schedule: "none", release: { channel: "Latest" }, paused: false },
  "acme-5003": { schedule: "none", release: { tag: "v1.0.0" }, paused: false, metadata: { plan: "silver" } },
  zebra: {
    schedule: "none",
    release: { tag: "v1.0.0" },
    paused: true,
    configs: { region: "us" },
    metadata: { plan: "gold" },
  },
};
const tenantIds = { "acme-5002": 5002, "acme-5003-5003": 5003, "acme-5003": 5004, zebra: 5001 };

describe.concurrent.each(variantsForImport)("with the variants %j", (variants) => {
  test("all live tenants of the integration are one fleet, and the next preview is empty", async () => {
    await using on = await withTenants(variants);
    const { id, inputs, state } = await imported(on, "crm-to-billing/billing");
    expect(id).toBe("101/billing");
    expect(inputs).toEqual({ integration: "crm-to-billing", name: "billing", tenants: withoutAbsent(variants) });
    expect(state).toMatchObject({ integrationId: 101, tenantIds });
    expect(JSON.stringify({ inputs, state })).not.toContain(secret);
    await showsNoChange(on, id, inputs, state);
    expect(on.writes().filter(({ request }) => !request.includes("/_emulator/"))).toEqual([]);
  });

  test("a changed key of one tenant is the only change on the platform", async () => {
    await using on = await withTenants(variants);
    const before = await on.tenant(5001);
    const { id, inputs, state } = await imported(on, "101/billing");
    on.emulator.clearRequests();
    const zebra = { ...inputs.tenants.zebra, configs: { region: "uk" } };
    const changed = { ...inputs, tenants: { ...inputs.tenants, zebra } };
    const { fleet } = on.operation({ consistencyTimeoutSeconds: consistencyTimeoutOf(variants) });
    await fleet.update(id, state, changed);
    expect(on.writes()).toEqual([{ request: "PATCH /v2/tenants/5001", body: { configs: { region: "uk" } } }]);
    expect(await on.tenant(5001)).toMatchObject({
      ...before,
      modified_date: expect.anything(),
      configs: { region: "uk" },
    });
  });
});

test("the result is what a create and a read of the same fleet store", async () => {
  await using on = await withTenants({});
  const { id, inputs, state } = await imported(on, "crm-to-billing/billing");
  const adopting = Object.entries(inputs.tenants).map(([key, entry]) => [
    key,
    { ...entry, adopt: state.tenantIds?.[key] },
  ]);
  const made = await operation(on).create({ ...inputs, tenants: Object.fromEntries(adopting) });
  expect(made.id).toBe(id);
  const withoutAdopt = Object.entries(made.state.tenants).map(([key, { adopt: _, ...entry }]) => [key, entry]);
  expect({ ...made.state, tenants: Object.fromEntries(withoutAdopt) }).toEqual(state);
  expect(on.writes().filter(({ request }) => !request.includes("/_emulator/"))).toEqual([]);
});

test("one warning names the tenants whose settings are left out, and at most 20 of them", async () => {
  await using on = await withTenants({});
  await imported(on, "101/billing");
  expect(on.warnings).toHaveLength(1);
  expect(on.warnings[0]).toMatch(/^fleet "billing": .*pulumi config set --secret/);
  expect(on.warnings[0]).toContain("\n  acme-5002 (5002): configs.api_token looks like a secret");
  expect(on.warnings[0]).toContain("\n  acme-5003 (5004): metadata.api_key looks like a secret");

  for (let number = 0; number < 30; number += 1) {
    await on.add({ integration: 101, name: `more-${number}`, configs: { api_token: secret } });
  }
  on.warnings.length = 0;
  await imported(on, "101/billing");
  expect(on.warnings[0]?.split("\n")).toHaveLength(22);
  expect(on.warnings[0]).toMatch(/\n {2}and 12 more$/);
});

test("archived tenants and those of other integrations are not in the fleet", async () => {
  await using on = await withTenants({});
  await on.add({ integration: "shop-to-erp", name: "other" });
  await on.changeByHand(5001, { archived: true });
  const { inputs } = await imported(on, "101/billing");
  expect(Object.keys(inputs.tenants).sort()).toEqual(["acme-5002", "acme-5003", "acme-5003-5003"]);
});

test("an integration without tenants is an empty fleet", async () => {
  await using on = await stage();
  const { id, inputs, state } = await imported(on, "hr-to-payroll/people");
  expect({ id, inputs }).toEqual({
    id: "103/people",
    inputs: { integration: "hr-to-payroll", name: "people", tenants: {} },
  });
  await showsNoChange(on, id, inputs, state);
});

describe("ids", () => {
  test("names of integrations and fleets may have slashes", async () => {
    await using on = await withTenants({});
    await call(on.emulator, "PATCH", "/_emulator/integrations/101", { name: "crm/billing" });
    const { id, inputs } = await imported(on, "crm/billing/eu/tenants");
    expect(id).toBe("101/eu/tenants");
    expect(inputs).toMatchObject({ integration: "crm/billing", name: "eu/tenants" });
  });

  test.each([
    ["crm-to-bilings/billing", /there is no integration named "crm-to-bilings".*crm-to-billing/],
    ["999/billing", /there is no integration with id 999/],
  ])("%s names an integration that does not exist", async (id, message) => {
    await using on = await withTenants({});
    expect((await failureOf(imported(on, id))).message).toMatch(message);
  });

  test.each(["", "/", "crm-to-billing", "101", "crm-to-billing/", "/billing", "5001"])(
    'the form "%s" is an error that shows the right form',
    async (id) => {
      await using on = await withTenants({});
      expect((await failureOf(imported(on, id))).message).toBe(
        `"${id}" is not an id with which a TenantFleet can be imported. Write the name or id of the integration and the ` +
          "name of the fleet with a / between them, such as crm-to-billing/billing",
      );
    },
  );
});

async function withTenants(variants: Partial<Variants>): Promise<Stage> {
  const on = await stage({ variants });
  for (const tenant of tenants) await on.add({ integration: "crm-to-billing", ...tenant });
  return on;
}

/** The declared tenants without the settings whose fields the platform does not send. */
function withoutAbsent({ absentField, defaults }: Partial<Variants>): object {
  const isNoneShown = defaults !== "absent";
  const entries = Object.entries(declared).map(([key, { schedule, release, ...entry }]) => {
    const isChannel = "channel" in release;
    const isAbsent = absentField === "release" || absentField === `integration_release_${isChannel ? "channel" : "id"}`;
    const asId = isChannel && absentField === "integration_release_channel" ? { release: { tag: "v1.1.0" } } : {};
    return [
      key,
      {
        ...entry,
        ...(absentField === "user_schedule" || (schedule === "none" && !isNoneShown) ? {} : { schedule }),
        ...(isAbsent ? {} : { release }),
        ...asId,
      },
    ];
  });
  return Object.fromEntries(entries);
}

async function imported(on: Stage, id: string) {
  const found = await on.operation().fleet.import?.(id);
  if (found === undefined) throw new Error(`fleet ${id} was not imported`);
  return found;
}

/** Asks a new operation, as the `preview --refresh` after an import does. */
async function showsNoChange(
  on: Stage,
  id: string,
  inputs: Awaited<ReturnType<typeof imported>>["inputs"],
  stored: Awaited<ReturnType<typeof imported>>["state"],
) {
  const { fleet } = on.operation();
  expect(await fleet.read(id, stored)).toEqual({ inputs, state: stored });
  expect(await fleet.check(inputs, inputs)).toEqual([]);
  expect(await fleet.diff(id, stored, inputs)).toEqual({ isChanged: false });
}
