import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { buildLifecycle } from "../../../src/resources/build/lifecycle.ts";
import { call } from "../../emulator/running-emulator.ts";
import { fastStage } from "../passing-time.ts";
import { stage } from "../stage.ts";
import { addRelease, asked, inputs, operation } from "./build-stage.ts";

const state = { ...inputs, releaseId: 902, releaseName: "x", configVersion: "0.4" };

describe("check", () => {
  test.each<[string, object, string, RegExp]>([
    ["no tag", { integrationId: 101 }, "tag", /must be a string/],
    ["an integration by name", { ...inputs, integrationId: "crm-to-billing" }, "integrationId", /must be the id/],
    ["a misspelt input", { ...inputs, brunch: "main" }, "brunch", /did you mean "branch"/],
    ["no time to wait", { ...inputs, timeoutSeconds: 0 }, "timeoutSeconds", /more than 0/],
    [
      "an integration that does not exist",
      { ...inputs, integrationId: 7 },
      "integrationId",
      /no integration with id 7/,
    ],
    ["a tag that is in use", { ...inputs, tag: "v1.0.0" }, "tag", /release 901 .*already.*adopt: true/],
  ])("tells of %s", async (_, wrong, property, reason) => {
    await using on = await stage();
    expect(await operation(on).check(wrong, undefined)).toEqual([{ property, reason: expect.stringMatching(reason) }]);
  });

  test.each<[string, object]>([
    ["a new tag", inputs],
    ["a tag in use, with adopt", { ...inputs, tag: "v1.0.0", adopt: true }],
    ["an integration that is not known yet", { integrationId: unknownValue, tag: "v1.0.0" }],
    ["a tag that is not known yet", { integrationId: 101, tag: unknownValue }],
  ])("lets %s pass", async (_, right) => {
    await using on = await stage();
    expect(await operation(on).check(right, undefined)).toEqual([]);
  });

  test("accepts the build's own release, and reports before a replacement that the tag is in use", async () => {
    await using on = await stage();
    const old = { ...inputs, tag: "v1.1.0" };
    expect(await operation(on).check(old, old)).toEqual([]);
    expect(await operation(on).check({ ...old, timeoutSeconds: 5 }, old)).toEqual([]);
    for (const change of [{ branch: "other" }, { tag: "v1.0.0" }]) {
      expect(await operation(on).check({ ...old, ...change }, old)).toMatchObject([{ property: "tag" }]);
    }
  });
});

describe("diff", () => {
  test.each<[string, object, string[]]>([
    ["integration", { integrationId: 102 }, ["integrationId"]],
    ["tag", { tag: "v9" }, ["tag"]],
    ["branch", { branch: "main" }, ["branch"]],
  ])("another %s makes another build, before the former one leaves the state", async (_, change, replaces) => {
    await using on = await stage();
    const difference = await operation(on).diff("x", state, { ...inputs, ...change });
    expect(difference).toMatchObject({ isChanged: true, replaces, isDeletedFirst: false });
  });

  test.each(["integrationId", "tag", "branch"])(
    "a preview that does not know the %s shows no other build",
    async (key) => {
      await using on = await stage();
      const difference = await operation(on).diff("x", state, { ...inputs, [key]: unknownValue });
      expect(difference).toMatchObject({ isChanged: true, replaces: [] });
    },
  );

  test("changes of timeoutSeconds and adopt change the state, but nothing on the platform", async () => {
    await using on = await stage();
    const now = { ...inputs, timeoutSeconds: 5, adopt: true };
    expect(await operation(on).diff("x", state, now)).toMatchObject({
      isChanged: true,
      replaces: [],
      isUnfinished: false,
    });
    expect(await operation(on).update("x", state, now)).toEqual({ ...state, ...now });
    expect(await operation(on).update("x", { ...state, ...now }, inputs)).toEqual(state);
    expect(asked(on)).toEqual([]);
  });

  test("equal inputs are no change", async () => {
    await using on = await stage();
    expect(await operation(on).diff("x", state, inputs)).toMatchObject({
      isChanged: false,
      replaces: [],
      isUnfinished: false,
    });
  });
});

describe("read", () => {
  test("returns the current release and the unchanged inputs", async () => {
    await using on = await fastStage();
    const { id, state: made } = await operation(on).create(inputs);
    expect(await operation(on).read(id, made)).toEqual({ inputs, state: made });
  });

  test("a missing release is deleted from the state", async () => {
    await using on = await stage();
    expect(await operation(on).read("x", { ...state, releaseId: 999 })).toBeUndefined();
  });

  test.each([
    ["that has its own response already", 0],
    ["without its own response for a while", 2],
  ])("a release that the lists lack for a while, %s, stays in the state", async (_, missing) => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 200, body: [], times: 3, match: { path: "/releases$" } });
    if (missing > 0) {
      const body = { message: "no such release" };
      on.emulator.fault({ kind: "status", status: 404, body, times: missing, match: { path: "/releases/902$" } });
    }
    const { read } = buildLifecycle(on.operation({ consistencyTimeoutSeconds: 2 }).context);
    expect((await read("x", state))?.state).toMatchObject({ releaseId: 902, configVersion: "0.4" });
  });

  test.each([401, 403, 500])("a response of %d about a release that the lists lack deletes nothing", async (status) => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status, times: 100, match: { path: "/releases/999$" } });
    await expect(operation(on).read("x", { ...state, releaseId: 999 })).rejects.toThrow(String(status));
  });

  test("an integration that the key does not show deletes nothing from the state", async () => {
    await using on = await stage();
    const read = operation(on).read("x", { ...state, integrationId: 7 });
    await expect(read).rejects.toThrow("there is no integration with id 7");
  });

  test.each([401, 403, 404, 500])("a response of %d is an error and deletes nothing from the state", async (status) => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status, times: 100, match: { path: "/releases$" } });
    await expect(operation(on).read("x", state)).rejects.toThrow(String(status));
  });

  test("another release with the same tag is not mistaken for the build's own", async () => {
    await using on = await fastStage();
    const { id, state: made } = await operation(on).create(inputs);
    await addRelease(on, { name: "again", tag: inputs.tag });
    expect((await operation(on).read(id, made))?.state.releaseId).toBe(made.releaseId);
  });
});

test("delete leaves the platform unchanged and warns why", async () => {
  await using on = await stage();
  await operation(on).delete("x", { ...state, tag: "v1.1.0" });
  expect(on.warnings).toEqual([expect.stringMatching(/build "v1.1.0".*release 902 stays.*cannot remove/)]);
  expect(on.writes()).toEqual([]);
  const { body } = await call(on.emulator, "GET", "/v2/integrations/101/releases/902");
  expect(body).toMatchObject({ id: 902 });
});
