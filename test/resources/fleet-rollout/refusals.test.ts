import { expect, test } from "vitest";
import { inputsOf, type RolloutStage, rolloutStage, up, ups } from "./rollout-stage.ts";

const secret = "hunter2-long";
const inputs = (on: RolloutStage) => inputsOf(on, { waves: [{ percent: 100 }], onFailure: "rollback" });

/** Makes the platform refuse requests with a message that quotes a secret of the tenant. */
function refuse(on: RolloutStage, method: "PATCH" | "POST", path: string) {
  const detail = [{ loc: ["body", "configs", "api_token"], msg: `'${secret}' does not match '^sk_'`, type: "pattern" }];
  on.emulator.fault({ kind: "status", status: 422, body: { detail }, match: { method, path }, times: 2 });
}

/** All that the user sees, and that the state stores. */
function shown(on: RolloutStage, ...results: Awaited<ReturnType<typeof up>>[]): string {
  return JSON.stringify([results, on.warnings, on.notes]);
}

test("a refused move is told with its path and status, and without the platform's message, which may quote secrets", async () => {
  await using on = await rolloutStage({ tenants: 1 });
  refuse(on, "PATCH", "/v2/tenants/");
  const result = await up(on, inputs(on));
  const { t1 } = on.ids;
  const reason = `the platform refused to move it: PATCH /v2/tenants/${t1} answered 422 for configs.api_token`;
  expect(result.state.reasons).toEqual({ [String(t1)]: reason });
  expect(shown(on, result)).toContain(reason);
  expect(shown(on, result)).not.toContain(secret);
});

test("so is a refused sync", async () => {
  await using on = await rolloutStage({ tenants: 1 });
  refuse(on, "POST", "/sync$");
  const result = await up(on, inputs(on));
  const { t1 } = on.ids;
  const reason = `the platform refused its sync: POST /v2/tenants/${t1}/sync answered 422 for configs.api_token`;
  expect(result.state.reasons).toEqual({ [String(t1)]: reason });
  expect(result.message).toContain(reason);
  expect(shown(on, result)).not.toContain(secret);
});

test("so is a refused way back", async () => {
  await using on = await rolloutStage({ tenants: 1 });
  refuse(on, "POST", "/sync$");
  const state = await ups(on, inputs(on), 1);
  on.emulator.clearFaults();
  refuse(on, "PATCH", "/v2/tenants/");
  const back = await up(on, inputs(on), state);
  const { t1 } = on.ids;
  const reason = `the platform refused it: PATCH /v2/tenants/${t1} answered 422 for configs.api_token`;
  expect(back.state.reasons).toEqual({ [String(t1)]: `the rollback left it: ${reason}` });
  expect(shown(on, back)).toContain(reason);
  expect(shown(on, back)).not.toContain(secret);
});

test.each([
  ["moves", "PATCH", "/v2/tenants/"],
  ["syncs", "POST", "/sync$"],
] as const)("so is another error of one that %s, and that the key was refused", async (_, method, path) => {
  for (const status of [410, 401]) {
    await using on = await rolloutStage({ tenants: 1 });
    const fault = { kind: "status", status, body: { message: `'${secret}' does not match` }, times: 99 } as const;
    on.emulator.fault({ ...fault, match: { method, path } });
    const result = await up(on, inputs(on));
    expect(result.message).toContain(
      `${method} /v2/tenants/${on.ids.t1}${method === "POST" ? "/sync" : ""} answered ${status}`,
    );
    if (status === 401) expect(result.message).toContain("Check the API key");
    expect(shown(on, result)).not.toContain(secret);
  }
});
