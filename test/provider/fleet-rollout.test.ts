import { describe, expect, test } from "vitest";
import { failureOf } from "../failure-of.ts";
import { changedInputs, codeProperty } from "./host-kinds.ts";
import { partialFailureOf } from "./partial-failure.ts";
import { stagedHost, unknownObject, unknownText } from "./staged-host.ts";

const waves = [{ name: "canary", tenants: ["acme"] }, { percent: 100 }];

/** A host, two connected tenants on release 901, and the inputs of a rollout to 902 whose runs fail for acme. */
async function rolloutHost() {
  await using open = new AsyncDisposableStack();
  const runs = { takes_seconds: 0, releases: [{ id: 902, tenants: ["acme"], outcome: "fail" as const }] };
  const staged = open.use(await stagedHost({ member: "fleetRollout" }));
  const ids: number[] = [];
  for (const name of ["acme", "globex"]) {
    const status = { auth: { connected: true, connectors: [] } };
    const tenant = {
      integration: 101,
      name,
      user_name: name,
      paused: false,
      integration_release_id: 901,
      status,
      runs,
    };
    ids.push(await staged.on.add(tenant));
  }
  const [acme, globex] = ids;
  const plan = {
    ...{ number: 1, release: 902, label: "v1.1.0", attempt: 1, from: "901", newcomers: "", joined: "", earlier: [] },
    members: `globex=${globex} acme=${acme}`,
    before: { most: "901", others: {} },
  };
  staged.on.emulator.clearRequests();
  const inputs = { fleetName: "billing", integrationId: 101, plan, waves };
  const held = open.move();
  return { ...staged, inputs, acme: acme ?? 0, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

describe.concurrent("a rollout", () => {
  test("is checked in a preview that knows neither its plan nor its integration", async () => {
    await using staged = await stagedHost({ member: "fleetRollout" });
    const unknown = { fleetName: "billing", integrationId: unknownText, plan: unknownObject };
    expect((await staged.host.check({ ...unknown, waves })).failures).toEqual([]);
    const { failures } = await staged.host.check({ ...unknown, waves: [{ percent: 50 }, { percent: 10 }] });
    expect(failures.map(({ reason }) => reason).join()).toMatch(/waves\[1\]/);
    expect(staged.on.writes()).toEqual([]);
  });

  test("that fails stores its state, and later reads, diffs and updates write nothing", async () => {
    await using staged = await rolloutHost();
    const { on, host, inputs, acme } = staged;
    const error = await failureOf(host.create(inputs));
    expect(error.message).toMatch(/wave canary: 1 tenant failed[\s\S]*acme/);
    const failure = partialFailureOf(error);
    expect(failure).toMatchObject({
      id: "101/billing",
      properties: { fleetName: "billing", integrationId: 101, phase: "failed", release: 902, moved: 1, tenants: 2 },
      reasons: [expect.stringContaining("wave canary")],
    });
    const { __provider, ...properties } = failure?.properties ?? {};
    expect(__provider).toBe(codeProperty("fleetRollout"));
    const requests = on.writes().map(({ request }) => request);
    expect(requests).toEqual([`PATCH /v2/tenants/${acme}`, `POST /v2/tenants/${acme}/sync`]);

    await using next = await staged.nextHost();
    on.emulator.clearRequests();
    const id = failure?.id ?? "";
    expect(await next.read(id, properties)).toMatchObject({ id, properties: { phase: "failed", moved: 1 } });
    expect(await next.diff(id, properties, inputs)).toMatchObject({ changes: 1, replaces: [] });
    expect(await next.update(id, properties, inputs)).toMatchObject({ phase: "failed", moved: 1 });
    await next.check(inputs); // without it, a diff is one of a refresh
    const elsewhere = await next.diff(id, properties, { ...inputs, integrationId: 102 });
    expect(elsewhere).toMatchObject({ changes: changedInputs, replaces: ["integrationId"], isDeletedFirst: true });
    const unknown = await next.diff(id, properties, { ...inputs, integrationId: unknownText, plan: unknownObject });
    expect(unknown).toMatchObject({ changes: changedInputs, replaces: [] });
    await next.delete(id, properties);
    expect(on.writes()).toEqual([]);
  });
});
