import { describe, expect, test } from "vitest";
import { call, install, numberAt, readTenant, runsOf, startManual, sync, triggerStatus } from "./running-emulator.ts";

describe("runs of one tenant", () => {
  test("serve all triggers of one second; the mode init wins over normal", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    const first = await sync(emulator, id, "normal");
    await emulator.advance({ seconds: 0.5 });
    const second = await sync(emulator, id, "init");
    await emulator.advance({ seconds: 10 });
    expect(await runsOf(emulator, id)).toMatchObject([
      { mode: "init", triggers: [{ id: Number(first) }, { id: Number(second) }] },
    ]);
  });

  test("run one at a time: triggers during a run join the next run", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    const first = await sync(emulator, id);
    await emulator.advance({ seconds: 2 });
    const second = await sync(emulator, id);
    await emulator.advance({ seconds: 1.5 });
    const third = await sync(emulator, id);
    await emulator.advance({ seconds: 1 });
    const statuses = async () => Promise.all([first, second, third].map((trigger) => triggerStatus(emulator, trigger)));
    expect(await statuses()).toEqual(["running", "pending", "pending"]);
    await emulator.advance({ seconds: 1.5 });
    expect(await statuses()).toEqual(["succeeded", "running", "running"]);
    await emulator.advance({ seconds: 5 });
    expect(await statuses()).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(await runsOf(emulator, id)).toMatchObject([
      {},
      { triggers: [{ id: Number(second) }, { id: Number(third) }] },
    ]);
    expect(await runsOf(emulator, id)).toHaveLength(2);
  });

  test("do not delay another tenant's", async () => {
    const emulator = await startManual();
    const triggers = [];
    for (const name of ["a", "b"]) triggers.push(await sync(emulator, await install(emulator, { name })));
    await emulator.advance({ seconds: 1 });
    expect(await Promise.all(triggers.map((trigger) => triggerStatus(emulator, trigger)))).toEqual([
      "running",
      "running",
    ]);
  });
});

describe("a tenant's status", () => {
  test("shows the current run, the last run and the last successful run", async () => {
    const emulator = await startManual();
    const id = await install(emulator, { runs: { takes_seconds: 5, outcome: ["succeed", "fail"] } });
    await sync(emulator, id);
    await emulator.advance({ seconds: 1 });
    const running = {
      id: 7001,
      status: { phase: "running", startTime: "2026-06-01T00:00:01.000Z", completionTime: null },
    };
    expect(await readTenant(emulator, id)).toMatchObject({ status: { current_run: running, last_run: {} } });
    await emulator.advance({ seconds: 5 });
    const succeeded = { id: 7001, mode: "normal", tenant_id: id, integration_id: 101, status: { phase: "succeeded" } };
    expect(await readTenant(emulator, id)).toMatchObject({
      status: { current_run: {}, last_run: succeeded, last_successful_run: succeeded },
    });
    await sync(emulator, id);
    await emulator.advance({ seconds: 6 });
    const failed = {
      id: 7002,
      status: { phase: "Failed (Integration Issue)", completionTime: "2026-06-01T00:00:12.000Z" },
    };
    expect(await readTenant(emulator, id)).toMatchObject({
      status: { current_run: {}, last_run: failed, last_successful_run: succeeded },
    });
  });

  test("is the only part of a tenant that a run changes", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    const { status: _before, ...before } = Object(await readTenant(emulator, id));
    await sync(emulator, id);
    await emulator.advance({ seconds: 60 });
    const { status: _after, ...after } = Object(await readTenant(emulator, id));
    expect(after).toEqual(before);
  });
});

describe("a script", () => {
  test("merges metadata shallowly when a run succeeds, and fills dynamic configs in an init", async () => {
    const emulator = await startManual();
    const script = {
      metadata: { seen: { new: 1 } },
      dynamic_configs: { lists: ["a"] },
      outcome: ["succeed", "succeed", "fail"],
    };
    const id = await install(emulator, { runs: script, metadata: { plan: "gold", seen: { old: 1 } } });
    const metadata = async () => Object((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).data;
    const run = async (mode: string) => {
      await sync(emulator, id, mode);
      await emulator.advance({ seconds: 6 });
    };
    await run("normal");
    expect(await metadata()).toEqual({ plan: "gold", seen: { new: 1 } });
    expect(await readTenant(emulator, id)).toMatchObject({ status: { dynamic_configs: {} } });
    await run("init");
    expect(await readTenant(emulator, id)).toMatchObject({ status: { dynamic_configs: { lists: ["a"] } } });
    await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { seen: {} });
    await run("init");
    expect(await metadata()).toEqual({ plan: "gold", seen: {} });
  });

  test("of a tenant overrides its integration's key by key, and the API shows neither", async () => {
    const seed = { integrations: [{ id: 1, name: "one", runs: { takes_seconds: 50, outcome: "fail" as const } }] };
    const emulator = await startManual({ seed });
    const id = await install(emulator, {
      integration: "one",
      runs: { takes_seconds: 2 },
      status: { auth: { connected: true } },
    });
    const trigger = await sync(emulator, id);
    await emulator.advance({ seconds: 3 });
    expect(await triggerStatus(emulator, trigger)).toBe("failed");
    expect(await readTenant(emulator, id)).not.toHaveProperty("runs");
    expect((await call(emulator, "GET", "/v2/integrations/1")).body).not.toHaveProperty("runs");
  });

  test("may be changed; later runs use the new one", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    await call(emulator, "PATCH", "/_emulator/integrations/101", { runs: { outcome: "fail" } });
    const trigger = await sync(emulator, id);
    await emulator.advance({ seconds: 6 });
    expect(await triggerStatus(emulator, trigger)).toBe("failed");
  });

  test("may be for the runs on one release, by its tag or id, and for some tenants", async () => {
    const failing = [
      { tag: "v1.1.0", tenants: ["acme", "globex"], outcome: "fail", failure: "no such currency" },
      { id: 902, tenants: ["initech"], outcome: "fail" },
    ];
    const emulator = await startManual();
    await call(emulator, "PATCH", "/_emulator/integrations/101", { runs: { takes_seconds: 2, releases: failing } });
    const names = ["acme", "globex", "initech", "umbrella"];
    const tenants = await Promise.all(names.map((name) => install(emulator, { name })));
    const outcomes = async () => {
      const triggers = await Promise.all(tenants.map((id) => sync(emulator, id)));
      await emulator.advance({ seconds: 3 });
      return Promise.all(triggers.map((trigger) => triggerStatus(emulator, trigger)));
    };
    const move = (id: number, to: object) => call(emulator, "PATCH", `/v2/tenants/${id}`, to);

    expect(await outcomes()).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
    const byChannel = { integration_release_channel: "Latest" };
    for (const [index, id] of tenants.entries())
      await move(id, index === 1 ? byChannel : { integration_release_id: 902 });
    expect(await outcomes()).toEqual(["failed", "failed", "failed", "succeeded"]);
    const [failed] = (await runsOf(emulator, tenants[0] ?? 0)).slice(-1).map((run) => numberAt(run, "id"));
    const { body } = await call(emulator, "GET", `/_emulator/runs/${failed}`);
    expect(Object(body).log).toContain("no such currency");
    for (const id of tenants) await move(id, { integration_release_id: 901 });
    expect(await outcomes()).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
  });

  test("for a release decides by the release that a tenant has when the run starts", async () => {
    const releases = [{ tag: "v1.1.0", outcome: "fail" as const }];
    const seed = {
      integrations: [
        {
          id: 1,
          name: "one",
          default_release_id: 11,
          releases: [
            { id: 11, name: "one v1.0.0", tag: "v1.0.0" },
            { id: 12, name: "one v1.1.0", tag: "v1.1.0" },
          ],
          runs: { takes_seconds: 10, releases },
        },
      ],
    };
    const emulator = await startManual({ seed });
    const id = await install(emulator, { integration: "one" });
    const moveTo = (release: number) =>
      call(emulator, "PATCH", `/v2/tenants/${id}`, { integration_release_id: release });
    const before = await sync(emulator, id);
    await emulator.advance({ seconds: 2 });
    await moveTo(12);
    const after = await sync(emulator, id);
    await emulator.advance({ seconds: 10 });
    await moveTo(11);
    await emulator.advance({ seconds: 30 });
    expect([await triggerStatus(emulator, before), await triggerStatus(emulator, after)]).toEqual([
      "succeeded",
      "failed",
    ]);
  });

  test("for a release takes the first that matches, whose keys override those of the script around it", async () => {
    const emulator = await startManual();
    const runs = {
      outcome: "fail",
      failure: "always",
      releases: [{ id: 902, outcome: "succeed" }, { tenants: ["acme"], failure: "this tenant" }, { failure: "others" }],
    };
    const acme = await install(emulator, { runs });
    const globex = await install(emulator, { name: "globex", runs });
    const logOfRun = async (id: number) => {
      const trigger = await sync(emulator, id);
      await emulator.advance({ seconds: 6 });
      const [run] = (await runsOf(emulator, id)).slice(-1).map((found) => numberAt(found, "id"));
      const { body } = await call(emulator, "GET", `/_emulator/runs/${run}`);
      return [await triggerStatus(emulator, trigger), /failed: (.*)$/m.exec(Object(body).log)?.[1]];
    };
    expect(await logOfRun(acme)).toEqual(["failed", "this tenant"]);
    expect(await logOfRun(globex)).toEqual(["failed", "others"]);
    await call(emulator, "PATCH", `/v2/tenants/${acme}`, { integration_release_id: 902 });
    expect(await logOfRun(acme)).toEqual(["succeeded", undefined]);
  });

  test("for a release with an unknown key is refused", async () => {
    const emulator = await startManual();
    const runs = { releases: [{ tags: "v1.1.0", outcome: "fail" }] };
    expect((await call(emulator, "PATCH", "/_emulator/integrations/101", { runs })).status).toBe(422);
  });

  test("that takes more than 10 minutes is ended there, as failed", async () => {
    const emulator = await startManual();
    const id = await install(emulator, { runs: { takes_seconds: 900 } });
    const trigger = await sync(emulator, id);
    await emulator.advance({ seconds: 600 });
    expect(await triggerStatus(emulator, trigger)).toBe("running");
    await emulator.advance({ seconds: 1 });
    expect(await triggerStatus(emulator, trigger)).toBe("failed");
  });
});
