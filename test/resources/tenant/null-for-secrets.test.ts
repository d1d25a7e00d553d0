// A platform that shows null in place of each secret that a tenant has.
import { expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { stageShowing } from "../stage.ts";

function platform(variants: Partial<Variants>) {
  const secret = { type: ["string", "null"], writeOnly: true, format: "password" };
  const properties = { region: {}, api_token: secret, refresh_token: secret };
  const releases = [{ id: 2, name: "v1", config_schema: { properties }, metadata_schema: null }];
  const seed = { integrations: [{ id: 1, name: "vault", default_release_id: 2, releases }] };
  return stageShowing(
    (body) =>
      body.includes("config_schema") ? body : body.replaceAll(/"(api_token|refresh_token)":"[^"]+"/g, '"$1":null'),
    { seed, variants },
  );
}

const acme = { integration: "vault", name: "acme" };
const configs = { region: "eu", api_token: "ours-123" };

test.each(["replace", "merge", "merge-patch"] as const)(
  "a change beside a secret that nothing declares is refused if a declared one is shown as null: %s",
  async (way) => {
    await using on = await platform({ configs: way });
    const { id, state } = await on.operation().tenant.create({ ...acme, configs });
    await on.changeByHand(id, { configs: { ...configs, refresh_token: "customers-456" } });
    const read = await on.operation().tenant.read(id, state);
    const failing = on
      .operation()
      .tenant.update(id, read?.state ?? state, { ...acme, configs: { ...configs, region: "us" } });
    await expect(failing).rejects.toThrow(
      /the tenant may have configs\.refresh_token, which the platform hides in reads/,
    );
    expect((await on.tenant(id)).configs).toEqual({ ...configs, refresh_token: "customers-456" });
  },
);

test("a warning says so if no secret is declared, and the change is sent", async () => {
  await using on = await platform({});
  const { id, state } = await on.operation().tenant.create({ ...acme, configs: { region: "eu" } });
  await on.changeByHand(id, { configs: { region: "eu", refresh_token: "customers-456" } });
  const read = await on.operation().tenant.read(id, state);
  await on.operation().tenant.update(id, read?.state ?? state, { ...acme, configs: { region: "us" } });
  expect(on.warnings).toContainEqual(
    expect.stringContaining("the schema marks configs.api_token, configs.refresh_token as secret"),
  );
});
