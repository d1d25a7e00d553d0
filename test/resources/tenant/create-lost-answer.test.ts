import { describe, expect, test } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import { eventually } from "../../eventually.ts";
import { complete, failureOf, type Stage, stage } from "../stage.ts";

const hiding = ["yes", "left-out"] as const;
const onPost = { method: "POST", path: "^/v2/tenants$" };

describe("a POST that took effect is not sent again if its response is lost", () => {
  test.concurrent.each<[string, FaultSpec]>([
    ["a cut connection", { kind: "cut-after", match: onPost }],
    ["a connection cut in the middle of the answer", { kind: "cut-middle", match: onPost }],
    ["an answer cut short", { kind: "truncated-json", match: onPost }],
    ["an answer of the wrong shape", { kind: "wrong-shape", match: onPost }],
    ["a 500", { kind: "status", status: 500, applied: true, match: onPost }],
    [
      "a 502 with HTML",
      { kind: "status", status: 502, body: "<html>Bad gateway</html>", applied: true, match: onPost },
    ],
    ["a timeout", { kind: "delay", ms: 1500, applied: true, match: onPost }],
  ])("%s", async (_, fault) => {
    await using on = await stage({}, { callTimeoutSeconds: 1 });
    on.emulator.fault(fault);
    const { id } = await on.operation().tenant.create(complete);
    await expectOne(on, id);
    expect(posts(on)).toBe(1);
  });

  test.concurrent("a timeout before it takes effect", async () => {
    await using on = await stage({}, { callTimeoutSeconds: 1 });
    on.emulator.fault({ kind: "delay", ms: 1700, match: onPost });
    const { id } = await on.operation({ consistencyTimeoutSeconds: 3 }).tenant.create(complete);
    await expectOne(on, id);
    expect(posts(on)).toBe(1);
  });

  test.concurrent("if the list lags behind", async () => {
    await using on = await stage({ variants: { visibility: "delayed" } });
    on.emulator.fault({ kind: "cut-after", match: onPost });
    const { id } = await on.operation({ consistencyTimeoutSeconds: 3 }).tenant.create(complete);
    await expectOne(on, id);
    expect(posts(on)).toBe(1);
  });
});

describe("a tenant whose secret reads hide", () => {
  test.concurrent.each(hiding)("is recognized after a lost response (maskedConfigs: %s)", async (maskedConfigs) => {
    await using on = await stage({ variants: { maskedConfigs } });
    on.emulator.fault({ kind: "cut-after", match: onPost });
    const { id } = await on.operation().tenant.create(complete);
    await expectOne(on, id);
    expect(posts(on)).toBe(1);
  });

  test.concurrent.each(hiding)("is recognized after a killed up (maskedConfigs: %s)", async (maskedConfigs) => {
    await using on = await stage({ variants: { maskedConfigs } });
    const { id } = await on
      .operation()
      .tenant.create({ ...complete, configs: { ...complete.configs, api_token: "old" } });
    expect(await on.operation().tenant.check(complete, undefined)).toEqual([]);
    expect((await on.operation().tenant.create(complete)).id).toBe(id);
    await expectOne(on, id);
  });

  test.concurrent("is refused if its reference to a secret has no value", async () => {
    await using on = await stage();
    const note = { ref: "env:NOTE_THAT_IS_NOT_SET" };
    await on.operation().tenant.create({ ...complete, configs: { ...complete.configs, region: "us" } });
    const again = on.operation().tenant.create({ ...complete, configs: { ...complete.configs, region: note } });
    await expect(again).rejects.toThrow(/it differs in configs\.region/);
  });

  test.concurrent("is refused if reads show another secret", async () => {
    await using on = await stage();
    await on.operation().tenant.create({ ...complete, configs: { ...complete.configs, api_token: "theirs" } });
    const again = on.operation().tenant.create(complete);
    await expect(again).rejects.toThrow(/not as this resource would have made it: it differs in configs\.api_token\./);
  });
});

test.concurrent("waits for a list that lags as long as consistencyTimeoutSeconds allows", async () => {
  await using on = await stage({ variants: { visibility: "lagging" }, lagSeconds: 4.5 });
  on.emulator.fault({ kind: "cut-after", match: onPost });
  const { id } = await on.operation({ consistencyTimeoutSeconds: 6 }).tenant.create({ ...complete, paused: true });
  expect(await on.live()).toMatchObject([{ id: Number(id) }]);
  expect(posts(on)).toBe(1);
});

const withoutEffect: [string, FaultSpec][] = [
  ["a cut connection", { kind: "cut-before", match: onPost }],
  ["a 500", { kind: "status", status: 500, match: onPost }],
  ["a page of HTML", { kind: "html", match: onPost }],
];

describe("a POST that took no effect is not sent again while that is uncertain", () => {
  test.concurrent.each(withoutEffect)("%s: the up fails, and the next up creates the tenant", async (_, fault) => {
    await using on = await stage();
    on.emulator.fault(fault);
    const failure = await failureOf(on.operation().tenant.create(complete));
    expect(failure.message).toMatch(/POST \/v2\/tenants: .*named "acme".*it may still have been made.*[Rr]un up again/);
    expect(posts(on)).toBe(1);
    const { id } = await on.operation().tenant.create(complete);
    await expectOne(on, id);
  });

  test.concurrent("if it takes effect late, the next up takes over the tenant", async () => {
    await using on = await stage({ variants: { visibility: "lagging" }, lagSeconds: 1 });
    on.emulator.fault({ kind: "cut-after", match: onPost });
    await failureOf(on.operation({ consistencyTimeoutSeconds: 0.1 }).tenant.create(complete));
    await eventually(async () => expect(await on.live()).toHaveLength(1));
    const { id } = await on.operation({ consistencyTimeoutSeconds: 3 }).tenant.create(complete);
    expect(await on.live()).toMatchObject([{ id: Number(id) }]);
    expect(posts(on)).toBe(1);
  });
});

describe("a POST that took no effect is sent again once a list shows a later tenant but not this one", () => {
  test.concurrent.each(withoutEffect)("%s", async (_, fault) => {
    await using on = await stage();
    const made = await withALaterPost(on, fault);
    expect(made.map(({ state }) => state.name)).toEqual(["acme", "later"]);
    expect((await on.live()).map(({ name }) => name).sort()).toEqual(["acme", "later"]);
    expect(posts(on)).toBe(3);
  });

  test.concurrent("a list that shows neither tenant proves nothing", async () => {
    await using on = await stage({ variants: { visibility: "lagging" }, lagSeconds: 1 });
    await withALaterPost(on, { kind: "cut-after", match: onPost });
    expect((await on.live()).map(({ name }) => name).sort()).toEqual(["acme", "later"]);
    expect(posts(on)).toBe(2);
  });

  test.concurrent("but not while the platform may still be processing it", async () => {
    await using on = await stage({}, { callTimeoutSeconds: 0.5 });
    await withALaterPost(on, { kind: "delay", ms: 1500, match: onPost });
    expect((await on.live()).map(({ name }) => name).sort()).toEqual(["acme", "later"]);
    expect(posts(on)).toBe(2);
  });

  test.concurrent.each([504, 524])("nor after a %d, as a gateway did not wait for it", async (status) => {
    await using on = await stage();
    await withALaterPost(on, { kind: "status", status, applied: true, match: onPost });
    expect((await on.live()).map(({ name }) => name).sort()).toEqual(["acme", "later"]);
    expect(posts(on)).toBe(2);
  });

  test.concurrent("but not without limit", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 500, times: 100, match: onPost });
    const failure = await failureOf(on.operation().tenant.create(complete));
    expect(failure.message).toMatch(/POST \/v2\/tenants.*500/);
    expect(posts(on)).toBe(1);
    expect(await on.live()).toEqual([]);
  });
});

/** Creates a tenant whose POST meets the fault, and another tenant once the first create has begun to search. */
async function withALaterPost(on: Stage, fault: FaultSpec) {
  const { tenant } = on.operation({ consistencyTimeoutSeconds: 5 });
  await tenant.check(complete, undefined);
  const listsBefore = on.listCount();
  on.emulator.fault(fault);
  const creating = tenant.create(complete);
  await eventually(() => expect(on.listCount()).toBeGreaterThan(listsBefore));
  return Promise.all([creating, tenant.create({ ...complete, name: "later" })]);
}

// the platform tells others of a new tenant by a webhook, and the program by its response
test.concurrent.each([
  ["takes long", 2500],
  ["does not come in time", 5000],
])("keeps what others write to the new tenant while the response %s", async (_, ms) => {
  await using on = await stage({ variants: { metadata: "replace" } }, { callTimeoutSeconds: 4 });
  on.emulator.fault({ kind: "delay", ms, applied: true, match: onPost });
  const creating = on.operation().tenant.create(complete);
  await eventually(async () => expect(await on.live()).toHaveLength(1));
  const [made] = await on.live();
  await on.changeByHand(made?.id ?? "", { metadata: { account: "A-17" } });
  const { id } = await creating;
  expect((await on.tenant(id)).metadata).toEqual({ account: "A-17", plan: "gold" });
});

test.concurrent("waits for a rate limit, which does not count as a lost response", async () => {
  await using on = await stage();
  on.emulator.fault({ kind: "status", status: 429, headers: { "retry-after": "0" }, times: 2, match: onPost });
  const { id } = await on.operation().tenant.create(complete);
  await expectOne(on, id);
  expect(posts(on)).toBe(3);
});

test.concurrent("distinguishes two tenants whose responses are lost at once", async () => {
  await using on = await stage();
  on.emulator.fault({ kind: "cut-after", times: 2, match: onPost });
  const { tenant } = on.operation();
  const made = await Promise.all(["a", "b"].map((name) => tenant.create({ ...complete, name })));
  expect(made.map(({ state }) => state.name)).toEqual(["a", "b"]);
  expect((await on.live()).map(({ id, name }) => [String(id), name])).toEqual(
    made.map(({ id, state }) => [id, state.name]),
  );
});

test.concurrent("does not claim a tenant with the same name that another client creates in the meantime", async () => {
  await using on = await stage();
  on.emulator.fault({ kind: "cut-before", match: onPost });
  const creating = failureOf(on.operation().tenant.create(complete));
  await eventually(() => expect(posts(on)).toBe(1));
  const id = await on.add({ integration: 101, name: "acme" });
  expect((await creating).message).toMatch(new RegExp(`\\(id ${id}\\) is already live.*source is "marketplace"`));
  expect(await on.live()).toHaveLength(1);
});

async function expectOne(on: Stage, id: string) {
  expect(await on.live()).toMatchObject([{ id: Number(id), name: "acme", paused: false }]);
  expect(await on.tenant(id)).toMatchObject({ configs: complete.configs, metadata: { plan: "gold" } });
}

function posts(on: Stage) {
  return on.writes().filter(({ request }) => request === "POST /v2/tenants").length;
}
