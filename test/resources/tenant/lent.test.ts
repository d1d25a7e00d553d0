import { describe, expect, test } from "vitest";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, brought, type Stage, stage } from "../stage.ts";

const inputs: TenantInputs = { ...acme, release: { tag: "v1.0.0" }, configs: { region: "eu", api_token: "t" } };

/** Lends the tenant to a try of the release with this tag, as `integration-platform try` does. */
async function lend(on: Stage, id: string, until: string) {
  const { context } = on.operation();
  const releases = await context.snapshot.releasesOf(101).all();
  const tried = releases.find(({ tag }) => tag !== "v1.0.0");
  const { integration_release_id, integration_release_channel } = await on.tenant(id);
  const before = { integration_release_id, integration_release_channel };
  const loan = { id: "x", label: "pr-7", by: "ada", until, release: tried?.id ?? 0, before };
  await context.client.metadata.update(Number(id), { integrationPlatformTry: loan });
  await context.client.tenants.update(Number(id), { integration_release_id: loan.release });
  on.emulator.clearRequests();
  return loan;
}

describe("a tenant that `try` has lent", () => {
  const later = "2999-01-01T00:00:00Z";

  test("shows no drift, and an up that changes something else does not move it back", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, inputs);
    const { release } = await lend(on, id, later);
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs, state });
    expect(on.notes).toEqual([expect.stringMatching(/^tenant "acme" \(id \d+\) is lent to pr-7 \(ada\) until 2999/)]);
    const changed = { ...inputs, configs: { region: "us", api_token: "t" } };
    const updated = await on.operation().tenant.update(id, state, changed);
    expect(updated).toEqual({ ...state, ...changed });
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${id}`, body: { configs: { ...changed.configs, currency: "EUR" } } },
    ]);
    expect(await on.tenant(id)).toMatchObject({ integration_release_id: release, configs: changed.configs });
  });

  test("gets another release if an up declares one", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, inputs);
    await lend(on, id, later);
    const changed = { ...inputs, release: { channel: "Default" as const } };
    expect(await on.operation().tenant.update(id, state, changed)).toEqual({ ...state, ...changed });
    expect(await on.tenant(id)).toMatchObject({ integration_release_channel: "Default" });
  });

  test("has drifted once the time of its loan is over, with a warning", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, inputs);
    const { release } = await lend(on, id, "2020-01-01T00:00:00Z");
    const seen = await on.operation().tenant.read(id, state);
    expect(seen?.state.release).not.toEqual(state.release);
    expect(on.warnings).toEqual([
      expect.stringContaining("was lent to pr-7 (ada) until 2020-01-01T00:00:00Z and not put back"),
    ]);
    expect(await on.operation().tenant.update(id, seen?.state ?? state, inputs)).toEqual(state);
    expect((await on.tenant(id)).integration_release_id).not.toBe(release);
  });

  test("costs no request for a tenant that runs what its state says", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, inputs);
    await on.operation().tenant.read(id, state);
    expect(on.emulator.requests().filter(({ path }) => path.endsWith("/metadata"))).toEqual([]);
  });
});
