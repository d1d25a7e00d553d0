import { describe, expect, test } from "vitest";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { fastStage } from "../passing-time.ts";
import { failureOf } from "../stage.ts";
import { addRelease, asked, inputs, operation, releaseIds } from "./build-stage.ts";

const onPost = { method: "POST", path: "^/v2/sourcecontrol/build$" };

test.concurrent("requests the build once and waits for its release", async () => {
  await using on = await fastStage();
  const { id, state } = await operation(on).create({ ...inputs, branch: "release/1.2" });
  expect(id).toBe("101/v1.2.0");
  expect(asked(on)).toEqual([{ integration_id: 101, tag: "v1.2.0", branch: "release/1.2" }]);
  const [releaseId] = await releaseIds(on, "v1.2.0");
  expect(state).toEqual({
    ...inputs,
    branch: "release/1.2",
    releaseId,
    releaseName: "crm-to-billing v1.2.0",
    configVersion: "0.4",
    configSchemaDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    metadataSchemaDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test.concurrent("sends no branch if none is declared", async () => {
  await using on = await fastStage({ variants: { buildAnswer: "nothing" } });
  await operation(on).create(inputs);
  expect(asked(on)).toEqual([{ integration_id: 101, tag: "v1.2.0" }]);
});

test.concurrent("has the same digests for the same schemas, whatever the order of their keys", async () => {
  await using on = await fastStage();
  const schema = { type: "object", properties: { a: { type: "string" }, b: {} } };
  const turned = { properties: { b: {}, a: { type: "string" } }, type: "object" };
  await addRelease(on, { name: "one", tag: "one", config_schema: schema, metadata_schema: null });
  await addRelease(on, { name: "two", tag: "two", config_schema: turned, metadata_schema: null });
  const { create } = operation(on);
  const [one, two] = await Promise.all(["one", "two"].map((tag) => create({ ...inputs, tag, adopt: true })));
  expect(one?.state.configSchemaDigest).toBe(two?.state.configSchemaDigest);
  expect(one?.state.configSchemaDigest).not.toBe(one?.state.metadataSchemaDigest);
});

describe("a tag that already has a release", () => {
  test.concurrent("is an error that explains how to adopt the release", async () => {
    await using on = await fastStage();
    const failure = await failureOf(operation(on).create({ ...inputs, tag: "v1.1.0" }));
    expect(failure.message).toMatch(/build "v1.1.0" of integration 101: release 902 .* already.*adopt: true/);
    expect(asked(on)).toEqual([]);
  });

  test.concurrent("is adopted unchanged if the program sets adopt", async () => {
    await using on = await fastStage();
    const { state } = await operation(on).create({ ...inputs, tag: "v1.1.0", adopt: true });
    expect(state).toMatchObject({ releaseId: 902, configVersion: "0.4" });
    expect(asked(on)).toEqual([]);
  });

  test.concurrent("is built if the program sets adopt and there is no release", async () => {
    await using on = await fastStage();
    const { state } = await operation(on).create({ ...inputs, adopt: true });
    expect([state.releaseId]).toEqual(await releaseIds(on, "v1.2.0"));
    expect(asked(on)).toHaveLength(1);
  });
});

describe("two concurrent builds", () => {
  test.concurrent("of different tags do not take each other's releases", async () => {
    await using on = await fastStage();
    const { create } = operation(on);
    const made = await Promise.all(["v2", "v3", "v4"].map((tag) => create({ ...inputs, tag })));
    for (const { state } of made) expect([state.releaseId]).toEqual(await releaseIds(on, state.tag));
    expect(asked(on)).toHaveLength(3);
  });

  test.concurrent("of the same tag make one build and one error", async () => {
    await using on = await fastStage();
    const { create } = operation(on);
    const results = await Promise.allSettled([create(inputs), create(inputs)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: expect.stringContaining("declared by two resources") },
    });
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("of the same tag in two integrations make two builds", async () => {
    await using on = await fastStage();
    const { create } = operation(on);
    const made = await Promise.all([101, 102].map((integrationId) => create({ ...inputs, integrationId })));
    expect(new Set(made.map(({ state }) => state.releaseId)).size).toBe(2);
  });

  test.concurrent("of which one is not ours, with the same tag, use the older release and keep it", async () => {
    await using on = await fastStage({ variants: { builds: "twice" } });
    const { id, state } = await operation(on).create(inputs);
    const ids = await releaseIds(on, "v1.2.0");
    expect(ids).toHaveLength(2);
    expect(state.releaseId).toBe(Math.min(...ids));
    expect((await operation(on).read(id, state))?.state).toEqual(state);
  });
});

describe("a lost response never leads to a second request", () => {
  test.concurrent("if the build was started", async () => {
    await using on = await fastStage();
    on.emulator.fault({ kind: "cut-after", match: onPost });
    const { state } = await operation(on).create(inputs);
    expect([state.releaseId]).toEqual(await releaseIds(on, "v1.2.0"));
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("if the build was not started; the state keeps it as pending, and the error reports the response", async () => {
    await using on = await fastStage();
    on.emulator.fault({ kind: "cut-before", match: onPost });
    const failure = await failureOf(operation(on).create({ ...inputs, timeoutSeconds: 0.1 }));
    expect(failure).toBeInstanceOf(IncompleteError);
    expect(failure.message).toMatch(/release does not show yet.*The answer to the request was lost: .*POST/s);
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("if the platform responds with 500", async () => {
    await using on = await fastStage();
    on.emulator.fault({ kind: "status", status: 500, applied: true, match: onPost });
    await operation(on).create(inputs);
    expect(asked(on)).toHaveLength(1);
  });
});

test.concurrent("stores nothing for a build that the platform refuses", async () => {
  await using on = await fastStage();
  on.emulator.fault({ kind: "status", status: 422, body: { message: "no such branch" }, match: onPost });
  const failure = await failureOf(operation(on).create({ ...inputs, branch: "nowhere" }));
  expect(failure).not.toBeInstanceOf(IncompleteError);
  expect(failure.message).toMatch(/POST \/v2\/sourcecontrol\/build.*no such branch/);
});
