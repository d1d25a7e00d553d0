import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import {
  call,
  createTenant,
  install,
  numberAt,
  readTenant,
  runsOf,
  startManual,
  sync,
  triggerStatus,
} from "../running-emulator.ts";
import { forEachValue } from "../variants/for-each-value.ts";

const noMode = {
  detail: [{ loc: ["query", "mode"], msg: 'Invalid option: expected one of "init"|"normal"', type: "enum" }],
};
const noObject = { detail: [{ loc: ["body"], msg: "Input should be an object", type: "dict_type" }] };
const noJson = { detail: [{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid" }] };

describe("a sync of a tenant", () => {
  test("is accepted with a trigger, whose status is 404 until it is debounced", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    const { status, body } = await call(emulator, "POST", `/v2/tenants/${id}/sync?mode=normal`, { since: "yesterday" });
    expect([status, Object.keys(Object(body))]).toEqual([202, ["trigger_id"]]);
    const trigger = String(Object(body).trigger_id);
    await emulator.advance({ seconds: 0.9 });
    const early = await call(emulator, "GET", `/v2/runs/triggers/${trigger}/status`);
    expect(early).toMatchObject({ status: 404, body: { message: `Trigger ${trigger} has no run yet` } });
    await emulator.advance({ seconds: 0.1 });
    expect(await triggerStatus(emulator, trigger)).toBe("running");
    await emulator.advance({ seconds: 5 });
    expect(await triggerStatus(emulator, trigger)).toBe("succeeded");
  });

  test.each([
    ["no mode", "", undefined, 422, noMode],
    ["an unknown mode", "?mode=full", undefined, 422, noMode],
    ["a body that is no object", "?mode=init", "[]", 422, noObject],
    ["a body that is no JSON", "?mode=init", "{", 422, noJson],
    ["null as body", "?mode=init", "null", 202, {}],
  ])("%s", async (_what, query, body, status, shape) => {
    const emulator = await startManual();
    const id = await install(emulator);
    expect(await call(emulator, "POST", `/v2/tenants/${id}/sync${query}`, body)).toMatchObject({ status, body: shape });
  });

  test("needs a live tenant", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    for (const gone of [id, 1]) {
      const answer = await call(emulator, "POST", `/v2/tenants/${gone}/sync?mode=init`);
      expect(answer).toMatchObject({ status: 404, body: { message: `Tenant ${gone} not found` } });
    }
    const detail = [{ loc: ["path", "tenant_id"], type: "value_error", input: "x" }];
    expect(await call(emulator, "POST", "/v2/tenants/x/sync?mode=init")).toMatchObject({
      status: 422,
      body: { detail },
    });
  });
});

describe("a sync of an integration's user", () => {
  const path = "/v2/integrations/101/sync";

  test("runs the newest live tenant that this user installed", async () => {
    const emulator = await startManual();
    const old = await install(emulator);
    const archived = await install(emulator);
    await call(emulator, "DELETE", `/v2/tenants/${archived}`);
    await install(emulator, { user_name: "user-2" });
    const { status, body } = await call(emulator, "POST", `${path}?mode=init&user_name=user-1`, {});
    expect([status, Object.keys(Object(body))]).toEqual([202, ["trigger_id"]]);
    await emulator.advance({ seconds: 1 });
    expect(await runsOf(emulator, old)).toMatchObject([
      { mode: "init", triggers: [{ id: Number(Object(body).trigger_id) }] },
    ]);
  });

  test.each([
    ["no mode", "?user_name=user-1", 422, 'query.mode: Invalid option: expected one of "init"|"normal"'],
    [
      "an unknown mode",
      "?mode=full&user_name=user-1",
      422,
      'query.mode: Invalid option: expected one of "init"|"normal"',
    ],
    ["no user", "?mode=init", 422, "query.user_name: Field required"],
    [
      "an empty user",
      "?mode=init&user_name=",
      422,
      "query.user_name: Too small: expected string to have >=1 characters",
    ],
    [
      "a user without a tenant",
      "?mode=init&user_name=nobody",
      404,
      'No tenant of integration 101 belongs to user "nobody"',
    ],
  ])("is refused with an ErrorMessage: %s", async (_what, query, status, message) => {
    const emulator = await startManual();
    await install(emulator);
    const answer = await call(emulator, "POST", `${path}${query}`);
    expect(answer).toMatchObject({ status, body: { message } });
    expect(answer.body).not.toHaveProperty("detail");
  });

  test("is refused with an ErrorMessage for an invalid integration id", async () => {
    const emulator = await startManual();
    const query = "sync?mode=init&user_name=user-1";
    const answers = [
      await call(emulator, "POST", `/v2/integrations/1/${query}`),
      await call(emulator, "POST", `/v2/integrations/x/${query}`),
      await call(emulator, "POST", `/v2/integrations/101/${query}`, "{"),
    ];
    expect(answers).toMatchObject([
      { status: 404, body: { message: "Integration 1 not found" } },
      { status: 422, body: { message: expect.stringMatching(/^path\.integration_id: .*valid integer/) } },
      { status: 422, body: { message: "body.0: JSON decode error" } },
    ]);
  });
});

describe("a sync of an unconnected tenant", () => {
  const both = async (emulator: Emulator) => {
    const id = await createTenant(emulator);
    await call(emulator, "PATCH", `/_emulator/tenants/${id}`, { user_name: "user-1" });
    return [
      await call(emulator, "POST", `/v2/tenants/${id}/sync?mode=init`),
      await call(emulator, "POST", "/v2/integrations/101/sync?mode=init&user_name=user-1"),
    ];
  };

  test("unconnectedSync=refuse answers 422", async () => {
    const emulator = await startManual();
    expect(await both(emulator)).toMatchObject([
      { status: 422, body: { detail: [{ loc: ["path", "tenant_id"], msg: "Tenant 5001 is not connected" }] } },
      { status: 422, body: { message: "path.tenant_id: Tenant 5001 is not connected" } },
    ]);
  });

  test("unconnectedSync=missing answers 404", async () => {
    const emulator = await startManual({ variants: { unconnectedSync: "missing" } });
    expect(await both(emulator)).toMatchObject([
      { status: 404, body: { message: "Tenant 5001 has no connected system" } },
      { status: 404, body: { message: "Tenant 5001 has no connected system" } },
    ]);
  });

  forEachValue(
    "unconnectedSync",
    { refuse: undefined, missing: undefined, "fail-run": "failed", accept: "running" },
    async (variants, word) => {
      const emulator = await startManual({ variants });
      const [answer] = await both(emulator);
      if (word === undefined) return expect(answer?.status).not.toBe(202);
      expect(answer?.status).toBe(202);
      await emulator.advance({ seconds: 1 });
      expect(await triggerStatus(emulator, String(Object(answer?.body).trigger_id))).toBe(word);
    },
  );

  test("a tenant without own connectors is connected", async () => {
    const seed = { integrations: [{ id: 1, name: "one", connectors: [{ name: "rates", isGlobal: true }] }] };
    const emulator = await startManual({ seed });
    const id = await createTenant(emulator, { integration_id: 1 });
    const trigger = await sync(emulator, id);
    await emulator.advance({ seconds: 1 });
    expect(await triggerStatus(emulator, trigger)).toBe("running");
  });

  test("a pending run fails when its tenant is disconnected before it starts", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    await sync(emulator, id);
    await emulator.advance({ seconds: 1 });
    const waiting = await sync(emulator, id);
    await call(emulator, "PATCH", `/v2/tenants/${id}/connectors/crm/disconnect`);
    await emulator.advance({ seconds: 5 });
    expect(await triggerStatus(emulator, waiting)).toBe("failed");
  });
});

forEachValue("pausedSync", { accept: 202, refuse: 422 }, async (variants, status) => {
  const emulator = await startManual({ variants });
  const id = await install(emulator, { paused: true });
  expect((await call(emulator, "POST", `/v2/tenants/${id}/sync?mode=normal`)).status).toBe(status);
});

const statusWords = {
  plain: ["pending", "running", "succeeded", "failed"],
  capitalized: ["Pending", "Running", "Succeeded", "Failed"],
  queue: ["queued", "in_progress", "success", "failure"],
  mixed: ["ACCEPTED", "hydrating", "Done", "FAILED"],
  processed: ["Waiting", "Processing", "Processed", "Broken"],
};
forEachValue("statusWords", statusWords, async (variants, words) => {
  const emulator = await startManual({ variants });
  const id = await install(emulator, { runs: { outcome: ["succeed", "fail"] } });
  const first = await sync(emulator, id);
  await emulator.advance({ seconds: 1 });
  const second = await sync(emulator, id);
  await emulator.advance({ seconds: 1 });
  const seen = [await triggerStatus(emulator, second), await triggerStatus(emulator, first)];
  await emulator.advance({ seconds: 20 });
  seen.push(await triggerStatus(emulator, first), await triggerStatus(emulator, second));
  expect(seen).toEqual(words);
  const recorded = variants.statusWords === "plain" ? "Failed (Integration Issue)" : words[3];
  expect(await readTenant(emulator, id)).toMatchObject({ status: { last_run: { status: { phase: recorded } } } });
  expect(numberAt(Object(await readTenant(emulator, id)).status.last_run, "id")).toBe(7002);
});
