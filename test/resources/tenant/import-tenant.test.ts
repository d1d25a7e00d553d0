import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { call } from "../../emulator/running-emulator.ts";
import { acme, failureOf, type Stage, stage } from "../stage.ts";
import { consistencyTimeoutOf, variantsForImport } from "../variants-for-import.ts";

const secret = "plain-secret-7f3a";

/** A tenant of the console with every setting and without secrets. */
const open = {
  integration: "crm-to-billing",
  name: "acme",
  user_schedule: "0 */6 * * *",
  integration_release_id: 901,
  paused: false,
  configs: { region: "eu", batch_size: 5, mapping: { a: "b" }, list: [1, { deep: true }] },
  metadata: { plan: "gold", seats: 3 },
};
/** The same with secrets, by the schema and by their names. */
const closed = {
  ...open,
  configs: { ...open.configs, none: null, api_token: secret, login: { user: "u", password: secret } },
  metadata: { ...open.metadata, api_key: secret },
};

describe.concurrent.each(variantsForImport)("with the variants %j", (variants) => {
  const consistencyTimeoutSeconds = consistencyTimeoutOf(variants);

  test("all that can be declared is imported, and the next preview is empty", async () => {
    await using on = await stage({ variants });
    const id = await on.add(closed);
    const imported = await on.operation().tenant.import?.(String(id));
    expect(imported).toEqual({ id: "5001", inputs: declarable(variants), state: stateOf(variants) });
    expect(JSON.stringify(imported)).not.toContain(secret);
    await showsNoChange(on, "5001", declarable(variants), stateOf(variants));
    expect(on.writes().filter(({ request }) => !request.includes("/_emulator/"))).toEqual([]);
  });

  test("a secret that is not imported keeps its value when another setting changes", async () => {
    await using on = await stage({ variants });
    const before = await on.tenant(await on.add(closed));
    const { inputs, state } = await imported(on, before.id);
    on.emulator.clearRequests();
    const { tenant } = on.operation({ consistencyTimeoutSeconds });
    await tenant.update(String(before.id), state, { ...inputs, paused: true });
    expect(on.writes()).toEqual([{ request: `PATCH /v2/tenants/${before.id}`, body: { paused: true } }]);
    expect(changes(before, await on.tenant(before.id))).toEqual({ paused: true });
  });

  test("a changed key is the only change on the platform", async () => {
    await using on = await stage({ variants });
    const before = await on.tenant(await on.add(open));
    const { inputs, state } = await imported(on, before.id);
    on.emulator.clearRequests();
    const configs = { ...inputs.configs, region: "us" };
    const { tenant } = on.operation({ consistencyTimeoutSeconds });
    await tenant.update(String(before.id), state, { ...inputs, configs });
    expect(on.writes()).toEqual([{ request: `PATCH /v2/tenants/${before.id}`, body: { configs } }]);
    expect(changes(before, await on.tenant(before.id))).toEqual({ configs });
  });
});

describe("what is not imported", () => {
  test("is named in one warning, with what to do", async () => {
    await using on = await stage();
    await imported(on, await on.add(closed));
    expect(on.warnings).toHaveLength(1);
    const [warning] = on.warnings;
    expect(warning).toMatch(/^tenant "acme" \(id 5001\): .* left out, and up leaves them unchanged/);
    expect(warning).toContain("pulumi config set --secret");
    for (const path of ["configs.api_token", "configs.login", "metadata.api_key"]) {
      expect(warning).toContain(`\n  ${path} looks like a secret`);
    }
  });

  test("a tenant without secrets has no warning", async () => {
    await using on = await stage();
    await imported(on, await on.add(open));
    expect(on.warnings).toEqual([]);
  });

  test("a masked secret is left out", async () => {
    await using on = await stage();
    const id = await on.add({ ...open, configs: { note: "********", ok: 1 } });
    const { inputs, state } = await imported(on, id);
    expect(inputs).toMatchObject({ configs: { ok: 1 } });
    expect(inputs).not.toHaveProperty("configs.note");
    expect(on.warnings.join()).toMatch(/configs\.note looks like a secret/);
    await showsNoChange(on, String(id), inputs, state);
  });

  test("a lost release is left out, and so are all configs and metadata, any of which its schema may mark as secrets", async () => {
    await using on = await stage();
    const id = await on.add({ ...open, integration_release_id: 999, configs: { ok: 1 } });
    const { inputs, state } = await imported(on, id);
    for (const name of ["release", "configs", "metadata"]) expect(inputs).not.toHaveProperty(name);
    expect(on.warnings.join()).toMatch(/release .*releases\n/);
    expect(on.warnings.join()).toMatch(/configs\.ok looks like a secret/);
    await showsNoChange(on, String(id), inputs, state);
  });

  test("configs and metadata that a tenant does not have are not managed", async () => {
    await using on = await stage();
    const made = await on.operation().tenant.create(acme);
    const { inputs, state } = await imported(on, made.id);
    expect(inputs).toEqual({ ...acme, schedule: "none", release: { tag: "v1.0.0" }, paused: true });
    await showsNoChange(on, made.id, inputs, state);
  });
});

describe("odd tenants", () => {
  test("an integration whose name is not unique is declared by its id", async () => {
    await using on = await stage();
    const id = await on.add(open);
    await call(on.emulator, "PATCH", "/_emulator/integrations/102", { name: "crm-to-billing" });
    const { inputs, state } = await imported(on, id);
    expect(inputs).toMatchObject({ integration: 101, name: "acme" });
    await showsNoChange(on, String(id), inputs, state);
  });

  test("an archived integration, which is not listed, is declared by its id", async () => {
    await using on = await stage();
    const id = await on.add(open);
    await call(on.emulator, "PATCH", "/_emulator/integrations/101", { archived: true });
    const { inputs, state } = await imported(on, id);
    expect(inputs).toMatchObject({ integration: 101, name: "acme" });
    await showsNoChange(on, String(id), inputs, state);
  });

  test.each([
    ["a name that no new tenant could have", { name: "Acme Inc. 東京" }, { name: "Acme Inc. 東京" }],
    ["a schedule that no program could declare", { user_schedule: "@daily" }, { schedule: "@daily" }],
    ["an empty schedule", { user_schedule: "" }, { schedule: "none" }],
    [
      "a channel",
      { integration_release_id: null, integration_release_channel: "Latest" },
      { release: { channel: "Latest" } },
    ],
    ["a release with an unknown channel", { integration_release_channel: "Beta" }, { release: { tag: "v1.0.0" } }],
  ])("%s", async (_, change, expected) => {
    await using on = await stage();
    const id = await on.add({ ...open, ...change });
    const { inputs, state } = await imported(on, id);
    expect(inputs).toMatchObject(expected);
    await showsNoChange(on, String(id), inputs, state);
  });

  test("a tenant that another resource of the same operation declares by its name can be imported beside it", async () => {
    await using on = await stage();
    const other = await on.add({
      ...open,
      integration: "shop-to-erp",
      configs: {},
      metadata: {},
      integration_release_id: 911,
    });
    const id = await on.add(open);
    const { tenant } = on.operation();
    const read = await tenant.import?.(String(id));
    if (read === undefined) throw new Error("it was not imported");
    const ofShop = { integration: "shop-to-erp", name: "acme" };
    await tenant.check(ofShop, ofShop);
    const named = { ...read.inputs, logicalName: "acme-crm" };
    await tenant.check(named, named);
    expect(await tenant.diff(String(id), { ...read.state, logicalName: "acme-crm" }, named)).toEqual({
      isChanged: false,
    });
    expect((await on.tenant(other)).archived).toBe(false);
  });
});

describe("ids", () => {
  test.each(["6001", "9007199254740991"])("%s does not exist", async (id) => {
    await using on = await stage();
    await on.add(open);
    expect(await on.operation().tenant.import?.(id)).toBeUndefined();
  });

  test("an archived tenant does not exist", async () => {
    await using on = await stage({ variants: { archivedList: "along" } });
    const id = await on.add({ ...open, archived: true });
    expect(await on.operation().tenant.import?.(String(id))).toBeUndefined();
  });

  test.each([
    "acme",
    "5001x",
    "",
    "0",
    "-5",
    "05001",
    "5001.0",
    " 5001",
    "5e3",
    "1152921504606846976",
    "crm/acme",
    "constructor",
  ])('the form "%s" is an error that shows the right form', async (id) => {
    await using on = await stage();
    await on.add(open);
    const importing = Promise.resolve(on.operation().tenant.import?.(id));
    const { message } = await failureOf(importing);
    expect(message).toBe(
      `"${id}" is not an id with which a Tenant can be imported. Write the id of the tenant, such as 5001`,
    );
  });
});

/** The inputs that a program may declare for {@link closed}. */
function declarable({ absentField }: Partial<Variants>) {
  const hasRelease = absentField !== "integration_release_id" && absentField !== "release";
  return {
    integration: "crm-to-billing",
    name: "acme",
    ...(absentField === "user_schedule" ? {} : { schedule: "0 */6 * * *" }),
    ...(hasRelease ? { release: { tag: "v1.0.0" } } : {}),
    paused: false,
    configs: { ...open.configs, none: null },
    metadata: open.metadata,
  };
}

function stateOf(variants: Partial<Variants>) {
  return { ...declarable(variants), tenantId: 5001, integrationId: 101 };
}

async function imported(on: Stage, id: number | string) {
  const found = await on.operation().tenant.import?.(String(id));
  if (found === undefined) throw new Error(`tenant ${id} was not imported`);
  return found;
}

/** Asks a new operation, as the `preview --refresh` after an import does. */
async function showsNoChange(
  on: Stage,
  id: string,
  inputs: object,
  stored: Awaited<ReturnType<typeof imported>>["state"],
) {
  const { tenant } = on.operation();
  expect(await tenant.read(id, stored)).toEqual({ inputs, state: stored });
  expect(await tenant.check(inputs, inputs)).toEqual([]);
  expect(await tenant.diff(id, stored, inputs)).toEqual({ isChanged: false });
}

/** The fields of the emulator's record that differ, with their new values. */
function changes(before: object, after: object): object {
  const isSame = (key: string) => JSON.stringify(Object(before)[key]) === JSON.stringify(Object(after)[key]);
  return Object.fromEntries(Object.entries(after).filter(([key]) => key !== "modified_date" && !isSame(key)));
}
