import { describe, expect, test } from "vitest";
import { failureOf, type Stage, stage } from "../stage.ts";
import { consistencyTimeoutOf, variantsForImport } from "../variants-for-import.ts";

const secret = "plain-secret-7f3a";
const metadata = { plan: "gold", seats: 3, notes: { list: [1, "two"] }, api_key: secret };
const { api_key: _, ...data } = metadata;
const tenant = { integration: "crm-to-billing", name: "acme", metadata };

describe.concurrent.each(variantsForImport)("with the variants %j", (variants) => {
  test("all keys without secrets are imported, and the next preview is empty", async () => {
    await using on = await stage({ variants });
    const id = await on.add(tenant);
    const { inputs, state } = await imported(on, id);
    expect(inputs).toEqual({ tenantId: id, data });
    expect(state).toEqual({ tenantId: id, data });
    await showsNoChange(on, String(id), inputs, state);
    expect(on.writes().filter(({ request }) => !request.includes("/_emulator/"))).toEqual([]);
  });

  test("a changed key is the only change on the platform", async () => {
    await using on = await stage({ variants });
    const id = await on.add(tenant);
    const { inputs, state } = await imported(on, id);
    on.emulator.clearRequests();
    const { metadata: lifecycle } = on.operation({ consistencyTimeoutSeconds: consistencyTimeoutOf(variants) });
    await lifecycle.update(String(id), state, { ...inputs, data: { ...data, plan: "silver" } });
    expect(on.writes().map(({ request }) => request)).toEqual([`PATCH /v2/tenants/${id}/metadata`]);
    expect((await on.tenant(id)).metadata).toEqual({ ...metadata, plan: "silver" });
  });
});

test("a warning names the tenant and the key that is left out, and no secret of its configs", async () => {
  await using on = await stage();
  const id = await on.add({ ...tenant, configs: { api_token: secret } });
  await imported(on, id);
  expect(on.warnings).toHaveLength(1);
  expect(on.warnings[0]).toMatch(/^metadata of tenant "acme" \(id 5001\): .*pulumi config set --secret/);
  expect(on.warnings[0]).toContain("\n  data.api_key looks like a secret");
  expect(on.warnings[0]).not.toContain("api_token");
});

test.each(["empty", "missing"] as const)("a tenant without metadata has no keys (%s)", async (metadataWhenNone) => {
  await using on = await stage({ variants: { metadataWhenNone } });
  const made = await on.operation().tenant.create({ integration: 101, name: "acme" });
  const { inputs, state } = await imported(on, made.id);
  expect(inputs).toEqual({ tenantId: Number(made.id), data: {} });
  await showsNoChange(on, made.id, inputs, state);
});

test("the metadata of a tenant that is archived or does not exist are undefined", async () => {
  await using on = await stage();
  const id = await on.add({ ...tenant, archived: true });
  for (const gone of [id, 6001]) expect(await on.operation().metadata.import?.(String(gone))).toBeUndefined();
});

test.each(["acme", "5001x", "", "0", "-5", "5001/plan"])(
  'the form "%s" is an error that shows the right form',
  async (id) => {
    await using on = await stage();
    expect((await failureOf(imported(on, id))).message).toBe(
      `"${id}" is not an id with which a TenantMetadata can be imported. Write the id of the tenant, such as 5001`,
    );
  },
);

async function imported(on: Stage, id: number | string) {
  const found = await on.operation().metadata.import?.(String(id));
  if (found === undefined) throw new Error(`the metadata of ${id} were not imported`);
  return found;
}

/** Asks a new operation, as the `preview --refresh` after an import does. */
async function showsNoChange(
  on: Stage,
  id: string,
  inputs: object,
  stored: Awaited<ReturnType<typeof imported>>["state"],
) {
  const { metadata: lifecycle } = on.operation();
  expect(await lifecycle.read(id, stored)).toEqual({ inputs, state: stored });
  expect(await lifecycle.check(inputs, inputs)).toEqual([]);
  expect(await lifecycle.diff(id, stored, inputs)).toEqual({ isChanged: false });
}
