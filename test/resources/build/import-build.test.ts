import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { failureOf, type Stage, stage } from "../stage.ts";
import { variantsForImport } from "../variants-for-import.ts";
import { addRelease, operation, releaseIds } from "./build-stage.ts";

describe.concurrent.each(variantsForImport)("with the variants %j", (variants) => {
  test("an existing release is imported as a create would have stored it, and the next preview is empty", async () => {
    await using on = await stage({ variants });
    const { id, inputs, state } = await imported(on, "101/v1.0.0");
    expect({ id, inputs }).toEqual({ id: "101/v1.0.0", inputs: { integrationId: 101, tag: "v1.0.0" } });
    const made = await operation(on).create({ ...inputs, adopt: true });
    expect(made).toEqual({ id, state: { ...state, adopt: true } });
    await showsNoChange(on, id, inputs, state);
    expect(on.writes()).toEqual([]);
  });
});

test("a branch is declared where it is not the integration's own", async () => {
  await using on = await stage();
  await addRelease(on, { name: "two", tag: "release/2.0", repository_tracking_branch: "release/2" });
  await addRelease(on, { name: "three", tag: "v3", repository_tracking_branch: "main" });
  const two = await imported(on, "101/release/2.0");
  expect(two.inputs).toEqual({ integrationId: 101, tag: "release/2.0", branch: "release/2" });
  await showsNoChange(on, two.id, two.inputs, two.state);
  const three = await imported(on, "101/v3");
  expect(three.inputs).toEqual({ integrationId: 101, tag: "v3" });
});

test("the oldest of several releases with the tag is imported", async () => {
  await using on = await stage();
  for (const name of ["one", "two"]) await addRelease(on, { name, tag: "v9" });
  const { state } = await imported(on, "101/v9");
  expect(state.releaseId).toBe(Math.min(...(await releaseIds(on, "v9"))));
});

describe("ids", () => {
  test("a tag without a release does not exist", async () => {
    await using on = await stage();
    for (const id of ["101/v9.9.9", "102/v1.0.0"]) expect(await operation(on).import?.(id)).toBeUndefined();
  });

  test("an integration that does not exist is an error", async () => {
    await using on = await stage();
    expect((await failureOf(imported(on, "999/v1.0.0"))).message).toMatch(/there is no integration with id 999/);
  });

  test.each(["", "101", "101/", "/v1", "crm-to-billing/v1.0.0", "0/v1", "-5/v1", "1152921504606846976/v1"])(
    'the form "%s" is an error that shows the right form',
    async (id) => {
      await using on = await stage();
      expect((await failureOf(imported(on, id))).message).toBe(
        `"${id}" is not an id with which a Build can be imported. Write the id of the integration and the tag of the release ` +
          "with a / between them, such as 101/v1.4.0",
      );
    },
  );

  test("an import requests no build", async () => {
    await using on = await stage();
    await imported(on, "101/v1.1.0");
    expect((await call(on.emulator, "GET", "/v2/integrations/101/releases")).body).toHaveLength(2);
    expect(on.writes()).toEqual([]);
  });
});

async function imported(on: Stage, id: string) {
  const found = await operation(on).import?.(id);
  if (found === undefined) throw new Error(`build ${id} was not imported`);
  return found;
}

/** Asks a new operation, as the `preview --refresh` after an import does. */
async function showsNoChange(
  on: Stage,
  id: string,
  inputs: object,
  stored: Awaited<ReturnType<typeof imported>>["state"],
) {
  const build = operation(on);
  expect(await build.read(id, stored)).toEqual({ inputs, state: stored });
  expect(await build.check(inputs, inputs)).toEqual([]);
  expect(await build.diff(id, stored, inputs)).toMatchObject({ isChanged: false, isUnfinished: false, replaces: [] });
}
