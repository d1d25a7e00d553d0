import { expect, test } from "vitest";
import { exportTenants } from "../../src/cli/export/exported-tenants.ts";
import type { JsonValue } from "../../src/json/json-value.ts";
import { type SettingName, settingNames, type TenantSettings } from "../../src/settings/table.ts";
import { fleetTenantSchema, tenantEntrySchema } from "../../src/stack/declarations/schema.ts";
import { testShell } from "../cli/test-shell.ts";
import { type KeptTenant, stage } from "../resources/stage.ts";

/** Two values of a setting, and where the platform has it. */
interface Sample<Value> {
  first: Value;
  second: Value;
  /** The setting in an answer of the API, in the form of the declaration. */
  onPlatform: (tenant: KeptTenant) => JsonValue | undefined;
  /** The second value as it is exported. Default: the second value. */
  exported?: Value;
}

/** The compiler asks for a sample of each setting: what is declared of it must reach the platform by every way. */
const samples: { [Name in SettingName]-?: Sample<NonNullable<TenantSettings[Name]>> } = {
  name: { first: "acme", second: "acme-2", onPlatform: ({ name }) => name },
  schedule: { first: "0 5 * * *", second: "0 6 * * *", onPlatform: ({ user_schedule }) => user_schedule },
  release: {
    first: { id: 901 },
    second: { id: 902 },
    onPlatform: ({ integration_release_id: id }) => (id === null ? undefined : { id }),
    exported: { tag: "v1.1.0" },
  },
  paused: { first: true, second: false, onPlatform: ({ paused }) => paused },
  configs: { first: { region: "eu" }, second: { region: "us" }, onPlatform: ({ configs }) => configs },
  metadata: {
    first: { plan: "gold" },
    second: { plan: "silver" },
    onPlatform: ({ metadata }) => metadata ?? undefined,
  },
};

const integration = "crm-to-billing";

test.each(settingNames)(
  "%s is created, shows as drift when it changes by hand or in the program, and is updated",
  async (name) => {
    await using on = await stage();
    const { first, second, onPlatform } = samples[name];
    const inputs = { integration, name: "acme", [name]: first };
    const { id, state } = await on.operation().tenant.create(inputs);
    expect(onPlatform(await on.tenant(id))).toEqual(first);

    const changed = { ...inputs, [name]: second };
    expect(await on.operation().tenant.diff(id, state, inputs)).toMatchObject({ isChanged: false });
    expect(await on.operation().tenant.diff(id, state, changed)).toMatchObject({ isChanged: true });
    const updated = await on.operation().tenant.update(id, state, changed);
    expect(onPlatform(await on.tenant(id))).toEqual(second);
    // the state of before is what a refresh compares with: the platform has changed meanwhile
    const read = await on.operation().tenant.read(id, state);
    expect(read?.state).toMatchObject({ [name]: second });
    expect(updated).toMatchObject({ [name]: second });
  },
);

test.each(settingNames)("%s is a setting of a fleet's tenant", async (name) => {
  await using on = await stage();
  const { first, second, onPlatform } = samples[name];
  const fleet = (entry: object) => ({ integration, name: "billing", tenants: { acme: entry } });
  const { id, state } = await on.operation().fleet.create(fleet({ [name]: first }));
  const [made] = await on.live();
  expect(made && onPlatform(await on.tenant(made.id))).toEqual(first);
  await on.operation().fleet.update(id, state, fleet({ [name]: second }));
  expect(made && onPlatform(await on.tenant(made.id))).toEqual(second);
  const read = await on.operation().fleet.read(id, state);
  expect(read?.state.tenants.acme).toMatchObject({ [name]: second });
});

test.each(settingNames)("%s is exported, and the stack's YAML takes what was exported", async (name) => {
  await using on = await stage();
  const { second, exported: asExported = second } = samples[name];
  await on.operation().tenant.create({ integration, name: "acme", [name]: second });
  const [exported] = await exportTenants(
    { ...on.operation().context, shell: testShell().shell },
    { integration: integration },
  );
  const { entry, key } = exported ?? { entry: {}, key: "" };
  expect({ name: key, ...entry }).toMatchObject({ [name]: asExported });
  expect(tenantEntrySchema.parse({ [name]: second })).toMatchObject({ [name]: second });
  expect(fleetTenantSchema.parse({ [name]: second })).toMatchObject({ [name]: second });
});

test("a tenant that a setting does not fit is not taken over", async () => {
  await using on = await stage();
  for (const name of ["schedule", "release", "configs"] as const) {
    const tenant = `tenant-${name}`;
    await on.operation().tenant.create({ integration, name: tenant, [name]: samples[name].first });
    const other = { integration, name: tenant, [name]: samples[name].second };
    await expect(on.operation().tenant.create(other)).rejects.toThrow(new RegExp(`differs in ${name}`));
  }
});
