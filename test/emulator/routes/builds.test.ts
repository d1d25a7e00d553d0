import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { call, createTenant, ids, readTenant, startManual } from "../running-emulator.ts";
import { forEachValue } from "../variants/for-each-value.ts";

const path = "/v2/sourcecontrol/build";

async function latest(emulator: Emulator, integrationId = 101): Promise<unknown> {
  return (await call(emulator, "GET", `/v2/integrations/${integrationId}/releases/latest`)).body;
}

describe("a build", () => {
  test("is accepted, and becomes a release later", async () => {
    const emulator = await startManual();
    const answer = await call(emulator, "POST", path, { tag: "v1.2.0", integration_id: 101, branch: "next" });
    expect(answer).toMatchObject({ status: 201, body: { tag: "v1.2.0", branch: "next", integration_id: 101 } });
    await emulator.advance({ seconds: 1.9 });
    expect(await latest(emulator)).toMatchObject({ tag: "v1.1.0" });
    await emulator.advance({ seconds: 0.1 });
    expect(await latest(emulator)).toMatchObject({
      tag: "v1.2.0",
      name: "crm-to-billing v1.2.0",
      repository_tracking_branch: "next",
      config_version: "0.4",
      config_schema: { schema: { properties: { currency: { default: "EUR" } } } },
      metadata_schema: { schema: { properties: { plan: {} } } },
      created_date: "2026-06-01T00:00:02.000Z",
    });
  });

  test.each([undefined, null])("uses the integration's tracking branch when the branch is %s", async (branch) => {
    const emulator = await startManual();
    const answer = await call(emulator, "POST", path, { tag: "v9", integration_id: 101, branch });
    expect(answer.body).toMatchObject({ branch: "main" });
    await emulator.advance({ seconds: 2 });
    expect(await latest(emulator)).toMatchObject({ repository_tracking_branch: "main" });
  });

  test("moves the channel Latest, and leaves Default where it was", async () => {
    const emulator = await startManual();
    const onLatest = await createTenant(emulator, { integration_release_channel: "Latest" });
    const onDefault = await createTenant(emulator, { name: "other", integration_release_channel: "Default" });
    await call(emulator, "POST", path, { tag: "v9", integration_id: 101 });
    await emulator.advance({ seconds: 2 });
    expect((await call(emulator, "GET", `/v2/tenants/${onLatest}/release`)).body).toMatchObject({ tag: "v9" });
    expect(await readTenant(emulator, onLatest)).toMatchObject({ integration_release_channel: "Latest" });
    expect((await call(emulator, "GET", `/v2/tenants/${onDefault}/release`)).body).toMatchObject({ id: 901 });
  });

  test("has the schemas that a script gives for its tag or branch, else those of the newest release", async () => {
    const open = { type: "object" };
    const strict = { type: "object", required: ["region"] };
    const builds = [
      { tag: "v2", config_schema: strict, config_version: "1.0" },
      { branch: "lab", metadata_schema: strict },
    ];
    const releases = [{ id: 5, name: "v1", config_schema: open, metadata_schema: open, config_version: "0.4" }];
    const emulator = await startManual({ seed: { integrations: [{ id: 1, name: "one", builds, releases }] } });
    const build = async (fields: object) => {
      await call(emulator, "POST", path, { integration_id: 1, ...fields });
      await emulator.advance({ seconds: 2 });
      return latest(emulator, 1);
    };
    expect(await build({ tag: "v1.1" })).toMatchObject({ config_schema: open, config_version: "0.4" });
    expect(await build({ tag: "v2" })).toMatchObject({ config_schema: strict, config_version: "1.0" });
    expect(await build({ tag: "v3", branch: "lab" })).toMatchObject({
      config_schema: strict,
      metadata_schema: strict,
      config_version: "1.0",
    });
  });

  test("may make the first release of an integration", async () => {
    const emulator = await startManual({ seed: { integrations: [{ id: 1, name: "one" }] } });
    await call(emulator, "POST", path, { tag: "v1", integration_id: 1 });
    await emulator.advance({ seconds: 2 });
    expect(await latest(emulator, 1)).toMatchObject({ tag: "v1", config_version: "1.0", config_schema: null });
  });

  test.each([
    ["no body", "", "body: Field required"],
    ["no JSON", "{", "body.0: JSON decode error"],
    ["no object", "[]", "body: Input should be an object"],
    ["no tag", { integration_id: 101 }, "body.tag: Field required"],
    ["an empty tag", { tag: "", integration_id: 101 }, "body.tag: Too small: expected string to have >=1 characters"],
    [
      "an integration of another type",
      { tag: "v1", integration_id: "101" },
      "body.integration_id: Invalid input: expected number, received string",
    ],
    ["an unknown integration", { tag: "v1", integration_id: 999 }, "body.integration_id: Integration 999 not found"],
    [
      "a branch of another type",
      { tag: "v1", integration_id: 101, branch: 7 },
      "body.branch: Invalid input: expected string, received number",
    ],
  ])("is refused with an ErrorMessage: %s", async (_what, body, message) => {
    const emulator = await startManual();
    const answer = await call(emulator, "POST", path, body);
    expect(answer).toMatchObject({ status: 422, body: { message } });
    expect(answer.body).not.toHaveProperty("detail");
  });

  test("needs the API key", async () => {
    const emulator = await startManual();
    expect((await call(emulator, "POST", path, { tag: "v1", integration_id: 101 }, {})).status).toBe(403);
  });
});

forEachValue(
  "builds",
  {
    quick: { seconds: 2, count: 1 },
    slow: { seconds: 60, count: 1 },
    never: { seconds: 86_400, count: 0 },
    twice: { seconds: 2, count: 2 },
  },
  async (variants, { seconds, count }) => {
    const emulator = await startManual({ variants });
    await call(emulator, "POST", path, { tag: "v9", integration_id: 101 });
    const releases = async () => (await call(emulator, "GET", "/v2/integrations/101/releases")).body;
    await emulator.advance({ seconds: seconds - 1 });
    expect(ids(await releases())).toEqual([901, 902]);
    await emulator.advance({ seconds: 1 });
    const added = Object(await releases()).slice(2);
    expect(added.map((release: unknown) => Object(release).tag)).toEqual(Array(count).fill("v9"));
    expect(new Set(added.map((release: unknown) => Object(release).config_version)).size).toBe(Math.min(count, 1));
  },
);

forEachValue("buildAnswer", { object: expect.objectContaining({ tag: "v9" }), nothing: {} }, async (variants, body) => {
  const emulator = await startManual({ variants });
  const answer = await call(emulator, "POST", path, { tag: "v9", integration_id: 101 });
  expect(answer).toMatchObject({ status: 201, body });
});
