import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json-schema/index.ts";
import { acme, brought, complete, stage } from "../stage.ts";

describe("inputs that cannot be brought about are named by their path", () => {
  test.each([
    ["a misspelt key", { naem: "x" }, "naem", /did you mean "name"/],
    [
      "a misspelt key of the release",
      { release: { tag: "v1.0.0", tgg: "v1.0.0" } },
      "release.tgg",
      /did you mean "tag"/,
    ],
    ["a name in capitals", { name: "Acme" }, "name", /lowercase/],
    ["a name that begins with a dash", { name: "-acme" }, "name", /neither first nor last/],
    ["a name that ends with a dash", { name: "acme-" }, "name", /neither first nor last/],
    ["an empty name", { name: "" }, "name", /empty/],
    ["a name that is a number", { name: 7 }, "name", /text/],
    ["a schedule that is no cron", { schedule: "every day" }, "schedule", /five fields/],
    ["a schedule of six fields", { schedule: "0 0 */6 * * *" }, "schedule", /five fields/],
    ["a schedule out of range", { schedule: "99 * * * *" }, "schedule", /five fields/],
    ["a schedule that is a number", { schedule: 6 }, "schedule", /cron/],
    ["paused that is no boolean", { paused: "yes" }, "paused", /true or false/],
    ["configs that are no object", { configs: ["region"] }, "configs", /object/],
    ["metadata that are no object", { metadata: "gold" }, "metadata", /object/],
    ["two ways to give a release", { release: { id: 901, tag: "v1.0.0" } }, "release", /one way only/],
    ["no way to give a release", { release: {} }, "release", /one way only/],
    ["a release that is a text", { release: "v1.0.0" }, "release", /\{ tag \}/],
    ["a channel that does not exist", { release: { channel: "latest" } }, "release.channel", /"Latest" or "Default"/],
    ["a tag that does not exist", { release: { tag: "v1.0.1" } }, "release", /did you mean "v1.0.0"/],
    ["an id of another integration's release", { release: { id: 911 } }, "release", /no release with id 911/],
    ["a misspelt integration", { integration: "crm-to-biling" }, "integration", /did you mean "crm-to-billing"/],
    ["an integration id that does not exist", { integration: 999 }, "integration", /no integration with id 999/],
    ["an adoption that does not exist", { adopt: "always" }, "adopt", /"never", "safe", true/],
    ["an adoption of nobody", { adopt: 4711 }, "name", /no live tenant with id 4711/],
    ["forceArchive that is no boolean", { forceArchive: 1 }, "forceArchive", /true or false/],
    ["a config out of its enumeration", { configs: { region: "mars" } }, "configs.region", /one of "eu", "us"/],
    ["a config of another type", { configs: { batch_size: "9" } }, "configs.batch_size", /must be integer/],
    ["a config out of range", { configs: { batch_size: 0 } }, "configs.batch_size", />= 1/],
    ["a nested config", { configs: { mapping: { a: 1 } } }, "configs.mapping.a", /must be string/],
    ["a config in the wrong format", { configs: { endpoint: "nowhere" } }, "configs.endpoint", /format "uri"/],
    ["metadata of another type", { metadata: { seats: "ten" } }, "metadata.seats", /must be integer/],
  ])("%s", async (_, change, property, reason) => {
    await using on = await stage();
    const failures = await on.operation().tenant.check({ ...acme, ...change }, undefined);
    expect(failures).toMatchObject([{ property, reason: expect.stringMatching(reason) }]);
    expect(on.writes()).toEqual([]);
  });

  test("all at once", async () => {
    await using on = await stage();
    const inputs = { ...complete, name: "Acme", schedule: "x", configs: { region: "mars", batch_size: 0 } };
    const failures = await on.operation().tenant.check(inputs, undefined);
    const properties = failures.map(({ property }) => property);
    expect(properties.sort()).toEqual(["configs.batch_size", "configs.region", "name", "schedule"]);
  });

  test("without the value of a config", async () => {
    await using on = await stage();
    const configs = {
      region: "s3cret-region",
      endpoint: "s3cret-endpoint",
      batch_size: "s3cret-size",
      mapping: "s3cret",
    };
    const failures = await on.operation().tenant.check({ ...acme, configs }, undefined);
    expect(failures).toHaveLength(4);
    expect(JSON.stringify(failures)).not.toContain("s3cret");
  });
});

describe("inputs that can be brought about pass", () => {
  test.each([
    ["nothing but a name", acme],
    ["everything", complete],
    ["an integration by id", { ...acme, integration: 101 }],
    ["a schedule of none", { ...acme, schedule: "none" }],
    ["a name of one letter", { ...acme, name: "a" }],
    ["a channel", { ...acme, release: { channel: "Latest" } }],
    ["configs that the schema does not name", { ...acme, configs: { other: { deep: [1, null] } } }],
    ["paths of secrets", { ...acme, secretPaths: [["configs", "api_token"]] }],
  ])("%s", async (_, inputs) => {
    await using on = await stage();
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
  });
});

describe("what is not known yet is passed over", () => {
  test.each(Object.keys(complete))("%s", async (name) => {
    await using on = await stage();
    const inputs = { ...complete, [name]: unknownValue };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
    expect(await on.operation().tenant.check(inputs, complete)).toEqual([]);
  });

  test("one config beside one that is wrong", async () => {
    await using on = await stage();
    const configs = { region: unknownValue, batch_size: 0 };
    const failures = await on.operation().tenant.check({ ...acme, configs }, undefined);
    expect(failures.map(({ property }) => property)).toEqual(["configs.batch_size"]);
  });

  test("a nested config, a required one, and the way of the release", async () => {
    await using on = await stage();
    const inputs = {
      integration: "hr-to-payroll",
      name: "acme",
      release: { tag: unknownValue },
      configs: { company_id: unknownValue, deep: [{ er: unknownValue }] },
    };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
  });

  test("a required config whose object is known is still missed", async () => {
    await using on = await stage();
    const inputs = { integration: "hr-to-payroll", name: "acme", configs: { country: unknownValue } };
    const failures = await on.operation().tenant.check(inputs, undefined);
    expect(failures).toMatchObject([{ property: "configs.company_id", reason: "is required" }]);
  });
});

describe("texts that the tenant has already", () => {
  test("are kept, however odd", async () => {
    await using on = await stage();
    const { state } = await brought(on, acme);
    await on.changeByHand(state.tenantId, { name: "Acme Inc.", user_schedule: "@daily" });
    const inputs = { ...acme, name: "Acme Inc.", schedule: "@daily" };
    expect(await on.operation().tenant.check(inputs, inputs)).toEqual([]);
  });

  test("do not excuse other odd ones", async () => {
    await using on = await stage();
    const { state } = await brought(on, acme);
    await on.changeByHand(state.tenantId, { name: "Acme Inc.", user_schedule: "@daily" });
    const old = { ...acme, name: "Acme Inc.", schedule: "@daily" };
    const failures = await on.operation().tenant.check({ ...acme, name: "Acme Ltd.", schedule: "@never" }, old);
    expect(failures.map(({ property }) => property)).toEqual(["name", "schedule"]);
  });

  test("are kept by a take-over too", async () => {
    await using on = await stage();
    const id = await on.add({ integration: 101, name: "Acme Inc.", user_schedule: "@daily" });
    const inputs = { ...acme, name: "Acme Inc.", schedule: "@daily", adopt: id };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
  });
});

test("a wrong key is an error, not a failure of some input", async () => {
  await using on = await stage({}, { apiKey: "wrong" });
  await expect(on.operation().tenant.check(complete, undefined)).rejects.toThrow(
    /status 403.*INTEGRATION_PLATFORM_API_KEY/s,
  );
});

test("a check costs one list of tenants, however many are checked", async () => {
  await using on = await stage();
  const { tenant } = on.operation();
  for (const name of ["a", "b", "c", "d"]) await tenant.check({ ...complete, name }, undefined);
  expect(on.listCount()).toBe(1);
});
