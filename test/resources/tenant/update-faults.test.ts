import { describe, expect, test, vi } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { eventually } from "../../eventually.ts";
import { acme, brought, complete, failureOf, stage } from "../stage.ts";

const onPatch = { method: "PATCH", path: "/v2/tenants/\\d+$" };
const onMetadataRead = { method: "GET", path: "metadata$" };
const onMetadata = { method: "PATCH", path: "metadata$" };

describe.concurrent("a field that the platform ignores despite a successful response is an error that names it", () => {
  test.each([
    ["name", "name", { name: "globex" }],
    ["schedule", "user_schedule", { schedule: "0 1 * * *" }],
    ["schedule", "user_schedule", { schedule: "none" }],
    ["release", "integration_release_id", { release: { tag: "v1.1.0" } }],
    ["paused", "paused", { paused: true }],
    ["configs.api_token", "configs", { configs: { region: "eu", api_token: "s3cret-and-new" } }],
  ])("%s (%s)", async (path, field, change) => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "ignore-fields", fields: [field], match: onPatch, times: 9 });
    const failure = await failureOf(on.operation().tenant.update(id, state, { ...complete, ...change }));
    expect(failure).toBeInstanceOf(IncompleteError);
    expect(failure).toMatchObject({ id, state });
    expect(failure.message).toMatch(new RegExp(`PATCH /v2/tenants/${id} with success.*not applied ${path}\\.`));
    expect(failure.message).not.toContain("s3cret");
  });

  test("metadata.plan", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "ignore-fields", fields: ["plan"], match: onMetadata, times: 9 });
    const failure = await failureOf(on.operation().tenant.update(id, state, { ...complete, metadata: { plan: "x" } }));
    expect(failure.message).toMatch(/metadata with success.*not applied metadata\.plan\./);
  });

  test("and the state contains the accepted fields", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "ignore-fields", fields: ["user_schedule"], match: onPatch, times: 9 });
    const now = { ...complete, name: "globex", schedule: "0 1 * * *", metadata: { plan: "silver" } };
    const failure = await failureOf(on.operation().tenant.update(id, state, now));
    expect(failure).toMatchObject({ state: { ...now, schedule: complete.schedule } });
  });
});

describe("what was written before a write is refused is in the state", () => {
  test.each(["object", "nothing", "empty"] as const)("PATCH answers %s", async (patchAnswer) => {
    await using on = await stage({ variants: { patchAnswer } });
    const before = { ...acme, schedule: "0 1 * * *", configs: { batch_size: 1 } };
    const { id, state } = await brought(on, before);
    const now = {
      ...acme,
      schedule: "0 2 * * *",
      configs: { batch_size: 2, region: "us" },
      metadata: { plan: "gold" },
    };
    on.emulator.fault({ kind: "status", status: 403, match: onMetadata });
    const failure = await failureOf(on.operation().tenant.update(id, state, now));
    on.emulator.clearFaults();
    const { schedule, configs } = now;
    expect(failure).toMatchObject({ name: "IncompleteError", state: { schedule, configs } });
    // so that a program that is taken back has something to write
    const failed = tenantStateSchema.parse(Object(failure).state);
    await on.operation().tenant.update(id, failed, before);
    expect(await on.tenant(id)).toMatchObject({ user_schedule: "0 1 * * *", configs: { batch_size: 1 } });
    expect((await on.tenant(id)).configs).not.toHaveProperty("region");
  });
});

test("what a PATCH has answered before a write is refused is in the state, also if reads lag", async () => {
  await using on = await stage({ variants: { patchAnswer: "object", visibility: "lagging" }, lagSeconds: 1 });
  const { id, state } = await brought(on, complete, 5);
  const now = { ...complete, schedule: "0 2 * * *", metadata: { plan: "silver" } };
  on.emulator.fault({ kind: "status", status: 403, match: onMetadata });
  const failure = await failureOf(on.operation({ consistencyTimeoutSeconds: 5 }).tenant.update(id, state, now));
  expect(failure).toMatchObject({ state: { schedule: now.schedule } });
});

test("a tenant that is archived during its update is an error that says what to do", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  on.emulator.clearRequests();
  on.emulator.fault({ kind: "delay", ms: 60_000, applied: true, match: onPatch });
  const failed = failureOf(on.operation().tenant.update(id, state, { ...complete, schedule: "0 1 * * *" }));
  await eventually(() => expect(on.writes()).toHaveLength(1));
  await on.changeByHand(id, { archived: true });
  on.emulator.clearFaults();
  expect((await failed).message).toMatch(
    /acme.*not among the live tenants.*somebody archived it, or the platform does not show it yet.*run up again/,
  );
});

describe.concurrent("a PATCH whose response is lost", () => {
  const now = {
    ...complete,
    schedule: "0 1 * * *",
    configs: { region: "us", api_token: "new" },
    metadata: { plan: "x" },
  };

  test.each<[string, FaultSpec]>([
    ["cut after it took effect", { kind: "cut-after", match: onPatch }],
    ["cut before it took effect", { kind: "cut-before", match: onPatch }],
    ["a 500 after it took effect", { kind: "status", status: 500, applied: true, match: onPatch }],
    ["a 500 before it took effect", { kind: "status", status: 500, match: onPatch }],
    ["a 502 of HTML", { kind: "html", status: 502, match: onPatch }],
    ["a timeout", { kind: "delay", ms: 1500, applied: true, match: onPatch }],
    ["metadata: cut after they took effect", { kind: "cut-after", match: onMetadata }],
    ["metadata: cut before they took effect", { kind: "cut-before", match: onMetadata }],
    ["metadata: an answer cut short", { kind: "truncated-json", match: onMetadata }],
    ["three times in a row", { kind: "status", status: 503, match: onPatch, times: 3 }],
  ])("is settled by a look: %s", async (_, fault) => {
    await using on = await stage({}, { callTimeoutSeconds: 1 });
    const { id, state } = await brought(on);
    on.emulator.fault(fault);
    expect(await on.operation().tenant.update(id, state, now)).toMatchObject(now);
    expect(await on.tenant(id)).toMatchObject({
      user_schedule: now.schedule,
      configs: now.configs,
      metadata: now.metadata,
    });
  });

  test("every time is an error, and the next up continues from the applied changes", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "status", status: 503, match: onMetadata, times: 99 });
    const failure = await failureOf(on.operation().tenant.update(id, state, now));
    expect(failure.message).toMatch(/PATCH .*metadata.*503/);
    expect(failure).toMatchObject({ id, state: { ...now, metadata: { plan: "gold" } } });
    on.emulator.clearFaults();
    if (!(failure instanceof IncompleteError)) throw failure;
    expect(await on.operation().tenant.update(id, failure.state, now)).toMatchObject(now);
  });

  test("and that is then refused is an immediate error with the platform's message", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "status", status: 422, body: { message: "not today" }, match: onPatch });
    const failure = await failureOf(on.operation().tenant.update(id, state, now));
    expect(failure.message).toMatch(/422.*not today/);
    expect(on.writes()).toHaveLength(1);
  });
});

test("a resumption of a connected tenant that the platform refuses, once a key is removed by null, is an error with the platform's words", async () => {
  await using on = await stage({ variants: { configs: "merge-patch" } });
  const { id, state } = await brought(on, { ...acme, paused: true, configs: { own: 1, gone: 2 } });
  await on.changeByHand(id, { status: { auth: { connected: true, connectors: [] } } });
  on.emulator.clearRequests();
  on.emulator.fault({ kind: "status", status: 422, body: { message: "not today" }, match: onPatch, skip: 2 });
  const now = { ...acme, paused: false, configs: { own: 1 } };
  const failure = await failureOf(on.operation().tenant.update(id, state, now));
  expect(on.writes().map(({ body }) => body)).toEqual([
    { configs: { own: 1 } },
    { configs: { own: 1, gone: null } },
    { paused: false },
  ]);
  expect(failure.message).toMatch(/422.*not today/);
  expect(failure.message).not.toContain("no way to remove");
  expect(failure).toMatchObject({ id, state: { paused: true, configs: { own: 1 } } });
});

describe.concurrent("a tenant is not resumed if the response echoes a change that was not applied", () => {
  const paused = { ...complete, paused: true };

  test("of the settings", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, paused);
    const configs = { ...complete.configs, region: "us" };
    const [live] = await on.live();
    on.emulator.fault({ kind: "status", status: 200, body: { ...live, configs }, match: onPatch });
    const failure = await failureOf(on.operation().tenant.update(id, state, { ...complete, configs }));
    expect(failure.message).toMatch(/not applied.*configs\.region/);
    expect(await on.tenant(id)).toMatchObject({ paused: true, configs: complete.configs });
    expect(JSON.stringify(on.writes())).not.toContain('"paused":false');
  });

  test("of the metadata", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, paused);
    const body = { tenant_id: Number(id), data: { plan: "silver" } };
    on.emulator.fault({ kind: "status", status: 200, body, match: onMetadata });
    const failure = await failureOf(
      on.operation().tenant.update(id, state, { ...complete, metadata: { plan: "silver" } }),
    );
    expect(failure.message).toMatch(/not applied.*metadata\.plan/);
    expect(await on.tenant(id)).toMatchObject({ paused: true, metadata: { plan: "gold" } });
    expect(JSON.stringify(on.writes())).not.toContain('"paused":false');
  });

  test("of a new tenant's metadata", async () => {
    await using on = await stage();
    on.emulator.fault({
      kind: "status",
      status: 200,
      body: { tenant_id: 1, data: { plan: "gold" } },
      match: onMetadata,
    });
    const failure = await failureOf(on.operation().tenant.create(complete));
    expect(failure.message).toMatch(/not applied.*metadata\.plan/);
    expect(await on.live()).toMatchObject([{ paused: true }]);
  });
});

test("a pause that is not taken does not hide that a secret was written which the platform leaves out", async () => {
  await using on = await stage({ variants: { maskedConfigs: "left-out" } });
  const adopt = await on.add({ integration: 101, name: "acme", configs: { region: "eu" } });
  on.emulator.fault({ kind: "ignore-fields", fields: ["paused"], match: onPatch, times: 9 });
  const configs = { region: "us", api_token: "s3cret-token" };
  const failure = await failureOf(on.operation().tenant.create({ ...acme, adopt, paused: true, configs }));
  expect(failure.message).toMatch(/not applied paused\./);
  expect(failure).toMatchObject({ state: { configs, unreadablePaths: [["configs", "api_token"]] } });
});

test("an answer that tells nothing of the tenant does not put what was read before it in the operation's list", async () => {
  await using on = await stage({ variants: { patchAnswer: "nothing" } });
  const { id, state } = await brought(on);
  const { context, tenant } = on.operation();
  const listed = vi.spyOn(context.snapshot.tenantsOf(101), "set");
  await tenant.update(id, state, { ...complete, schedule: "0 1 * * *" });
  expect(listed.mock.calls.map(([{ user_schedule }]) => user_schedule)).toEqual(["0 1 * * *"]);
});

test("metadata that somebody changes while the settings are written keep that change", async () => {
  await using on = await stage({ variants: { metadata: "replace" } });
  const { id, state } = await brought(on);
  on.emulator.fault({ kind: "delay", ms: 60_000, applied: true, match: onPatch });
  const now = { ...complete, schedule: "0 1 * * *", metadata: { plan: "silver" } };
  const updating = on.operation().tenant.update(id, state, now);
  await eventually(() => expect(on.writes()).toHaveLength(1));
  await on.changeByHand(id, { metadata: { plan: "gold", theirs: true } });
  on.emulator.clearFaults();
  await updating;
  expect((await on.tenant(id)).metadata).toEqual({ plan: "silver", theirs: true });
});

describe.concurrent("metadata that nobody declared are kept if an ingress answers their read with a 404", () => {
  const now = { ...complete, metadata: { plan: "silver" } };

  test.each([1, 99])("%d times", async (times) => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const { id, state } = await brought(on);
    await on.changeByHand(id, { metadata: { plan: "gold", theirs: true } });
    on.emulator.fault({ kind: "html", status: 404, times, match: onMetadataRead });
    const updating = on.operation().tenant.update(id, state, now);
    if (times === 1) await updating;
    else expect((await failureOf(updating)).message).toMatch(/GET .*metadata.*status 404.*HTML page/);
    expect((await on.tenant(id)).metadata).toEqual({ plan: times === 1 ? "silver" : "gold", theirs: true });
  });
});

describe.concurrent("a platform whose reads lag behind its writes", () => {
  test("is waited for", async () => {
    await using on = await stage({ variants: { visibility: "delayed" } });
    const { id, state } = await brought(on, complete, 5);
    const now = { ...complete, schedule: "none", paused: true, metadata: { plan: "silver" } };
    expect(await on.operation({ consistencyTimeoutSeconds: 5 }).tenant.update(id, state, now)).toMatchObject(now);
    expect(await on.tenant(id)).toMatchObject({ user_schedule: null, paused: true, metadata: { plan: "silver" } });
  });

  test("is waited for even if a read takes long that began before the write was visible", async () => {
    await using on = await stage({ variants: { visibility: "delayed" } });
    const { id, state } = await brought(on, complete, 5);
    on.emulator.fault({ kind: "delay", ms: 500, applied: true, times: 2, match: onMetadataRead });
    const now = { ...complete, name: "globex", metadata: { plan: "silver" } };
    expect(await on.operation({ consistencyTimeoutSeconds: 0.4 }).tenant.update(id, state, now)).toMatchObject(now);
  });

  test("gets each change once if it responds to a PATCH without a body", async () => {
    await using on = await stage({ variants: { visibility: "delayed", patchAnswer: "nothing" } });
    const { id, state } = await brought(on, { ...complete, paused: true }, 5);
    const now = { ...complete, schedule: "0 1 * * *" };
    expect(await on.operation({ consistencyTimeoutSeconds: 5 }).tenant.update(id, state, now)).toMatchObject(now);
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${id}`, body: { user_schedule: "0 1 * * *" } },
      { request: `PATCH /v2/tenants/${id}`, body: { paused: false } },
    ]);
  });

  const configs = { region: "eu", note: "b" };

  test.each([
    { configs: "replace" },
    { configs: "merge-patch" },
    { metadata: "replace" },
    { metadata: "merge-patch" },
  ] as const)("is waited for before a removal is tried in another way: %o", async (variants) => {
    await using on = await stage({ variants, lagSeconds: 4 });
    const declared = "configs" in variants ? { configs } : { metadata: configs };
    const { id, state } = await brought(on, { ...acme, ...declared });
    on.emulator.setVariants({ visibility: "lagging" });
    const now = "configs" in variants ? { configs: { region: "eu" } } : { metadata: { region: "eu" } };
    expect(
      await on.operation({ consistencyTimeoutSeconds: 5 }).tenant.update(id, state, { ...acme, ...now }),
    ).toMatchObject(now);
    const kept = await on.tenant(id);
    expect("configs" in variants ? kept.configs : kept.metadata).toEqual({ region: "eu" });
    const isReplacing = Object.values(variants).includes("replace");
    expect(on.writes()).toHaveLength(isReplacing ? 1 : 2);
    expect(JSON.stringify(on.writes()).includes("null")).toBe(!isReplacing);
  });

  test("is waited for before a PATCH with a lost response is sent again", async () => {
    await using on = await stage({ lagSeconds: 4 });
    const { id, state } = await brought(on, { ...acme, configs });
    on.emulator.setVariants({ visibility: "lagging" });
    on.emulator.fault({ kind: "cut-after", match: onPatch });
    const now = { ...acme, configs: { ...configs, note: "c" } };
    expect(await on.operation({ consistencyTimeoutSeconds: 5 }).tenant.update(id, state, now)).toMatchObject(now);
    expect(on.writes()).toHaveLength(1);
  });

  test("does not cause an older value to be written back", async () => {
    await using on = await stage({ variants: { visibility: "delayed" } });
    const { id, state } = await brought(on, complete, 5);
    const { tenant } = on.operation({ consistencyTimeoutSeconds: 5 });
    const first = await tenant.update(id, state, { ...complete, schedule: "0 1 * * *" });
    await tenant.update(id, first, { ...complete, schedule: "0 1 * * *", name: "globex" });
    expect(await on.tenant(id)).toMatchObject({ user_schedule: "0 1 * * *", name: "globex" });
  });
});
