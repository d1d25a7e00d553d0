import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { acme, brought, complete, stage } from "../stage.ts";

describe("invalid inputs are reported with their path", () => {
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
    ["a name that is a number", { name: 7 }, "name", /string/],
    [
      "a schedule that is not a cron expression",
      { schedule: "every day" },
      "schedule",
      /has 2 fields; a cron schedule has five/,
    ],
    ["a schedule of six fields", { schedule: "0 0 */6 * * *" }, "schedule", /has 6 fields; a cron schedule has five/],
    ["a schedule out of range", { schedule: "99 * * * *" }, "schedule", /^minute 99 is not 0 to 59$/],
    ["a schedule that is a number", { schedule: 6 }, "schedule", /cron/],
    ["paused that is not a boolean", { paused: "yes" }, "paused", /true or false/],
    ["configs that are not an object", { configs: ["region"] }, "configs", /object/],
    ["metadata that are not an object", { metadata: "gold" }, "metadata", /object/],
    [
      "two ways to give a release",
      { release: { id: 901, tag: "v1.0.0" } },
      "release",
      /exactly one of id, tag and channel/,
    ],
    ["no way to give a release", { release: {} }, "release", /exactly one of id, tag and channel/],
    ["a release that is a string", { release: "v1.0.0" }, "release", /\{ tag \}/],
    ["a channel that does not exist", { release: { channel: "latest" } }, "release.channel", /"Latest" or "Default"/],
    ["a tag that does not exist", { release: { tag: "v1.0.1" } }, "release", /did you mean "v1.0.0"/],
    ["an id of another integration's release", { release: { id: 911 } }, "release", /no release with id 911/],
    ["a misspelt integration", { integration: "crm-to-biling" }, "integration", /did you mean "crm-to-billing"/],
    ["an integration id that does not exist", { integration: 999 }, "integration", /no integration with id 999/],
    ["an unknown value of adopt", { adopt: "always" }, "adopt", /"never", "safe", true/],
    ["adopt with an unknown id", { adopt: 4711 }, "adopt", /no live tenant with id 4711/],
    ["forceArchive that is not a boolean", { forceArchive: 1 }, "forceArchive", /true or false/],
    ["a config that is not in its enumeration", { configs: { region: "mars" } }, "configs.region", /one of "eu", "us"/],
    ["a config of another type", { configs: { batch_size: "9" } }, "configs.batch_size", /must be a whole number/],
    [
      "a config out of range",
      { configs: { batch_size: 0 } },
      "configs.batch_size",
      /^must be from 1 to 1000\. To allow it, set schemaViolations: warn$/,
    ],
    ["a nested config", { configs: { mapping: { a: 1 } } }, "configs.mapping.a", /must be a string/],
    ["metadata of another type", { metadata: { seats: "ten" } }, "metadata.seats", /must be a whole number/],
  ])("%s", async (_, change, property, reason) => {
    await using on = await stage();
    const failures = await on.operation().tenant.check({ ...acme, ...change }, undefined);
    expect(failures).toMatchObject([{ property, reason: expect.stringMatching(reason) }]);
    expect(on.writes()).toEqual([]);
  });

  test("all mistakes at once", async () => {
    await using on = await stage();
    const inputs = { ...complete, name: "Acme", schedule: "x", configs: { region: "mars", batch_size: 0 } };
    const failures = await on.operation().tenant.check(inputs, undefined);
    const properties = failures.map(({ property }) => property);
    expect(properties.sort()).toEqual(["configs.batch_size", "configs.region", "name", "schedule"]);
  });

  test("without the values of configs", async () => {
    await using on = await stage();
    const configs = {
      region: "s3cret-region",
      api_token: ["s3cret-token"],
      batch_size: "s3cret-size",
      mapping: "s3cret",
    };
    const failures = await on.operation().tenant.check({ ...acme, configs }, undefined);
    expect(failures).toHaveLength(4);
    expect(JSON.stringify(failures)).not.toContain("s3cret");
  });
});

describe("valid inputs pass", () => {
  test.each([
    ["only a name", acme],
    ["everything", complete],
    ["an integration by id", { ...acme, integration: 101 }],
    ["the schedule none", { ...acme, schedule: "none" }],
    ["a name of one letter", { ...acme, name: "a" }],
    ["a channel", { ...acme, release: { channel: "Latest" } }],
    ["a config in another format", { ...acme, configs: { endpoint: "nowhere" } }],
    ["configs that the schema does not name", { ...acme, configs: { other: { deep: [1, null] } } }],
    ["paths of secrets", { ...acme, secretPaths: [["configs", "api_token"]] }],
  ])("%s", async (_, inputs) => {
    await using on = await stage();
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
  });
});

describe("unknown values are skipped", () => {
  test.each(Object.keys(complete))("%s", async (name) => {
    await using on = await stage();
    const inputs = { ...complete, [name]: unknownValue };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
    expect(await on.operation().tenant.check(inputs, complete)).toEqual([]);
  });

  test("an unknown config beside an invalid one", async () => {
    await using on = await stage();
    const configs = { region: unknownValue, batch_size: 0 };
    const failures = await on.operation().tenant.check({ ...acme, configs }, undefined);
    expect(failures.map(({ property }) => property)).toEqual(["configs.batch_size"]);
  });

  test("an unknown nested config, required config and release tag", async () => {
    await using on = await stage();
    const inputs = {
      integration: "hr-to-payroll",
      name: "acme",
      release: { tag: unknownValue },
      configs: { company_id: unknownValue, deep: [{ er: unknownValue }] },
    };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
  });

  test("an unknown id of the release, as another release may need other configs", async () => {
    await using on = await stage();
    const inputs = { integration: "hr-to-payroll", name: "acme", release: { id: unknownValue } };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
  });

  test("a missing required config in a known object is still reported", async () => {
    await using on = await stage();
    const inputs = { integration: "hr-to-payroll", name: "acme", configs: { country: unknownValue } };
    const failures = await on.operation().tenant.check(inputs, undefined);
    expect(failures).toMatchObject([
      { property: "configs.company_id", reason: "is required. To allow it, set schemaViolations: warn" },
    ]);
  });
});

describe("another live tenant of the same name", () => {
  test("is reported, as a create with a lost response may have made it", async () => {
    await using on = await stage();
    const { id } = await brought(on, acme);
    const other = await on.add({ integration: 101, name: "acme" });
    expect(await on.operation().tenant.check(acme, acme)).toEqual([]);
    expect(on.warnings).toEqual([
      expect.stringContaining(`2 live tenants of integration "crm-to-billing" are named "acme"`),
    ]);
    expect(on.warnings[0]).toContain(`ids ${id}, ${other}`);
  });

  test("is accepted if the program names its own by id", async () => {
    await using on = await stage();
    const { id } = await brought(on, acme);
    await on.add({ integration: 101, name: "acme" });
    const inputs = { ...acme, adopt: Number(id) };
    expect(await on.operation().tenant.check(inputs, inputs)).toEqual([]);
    expect(on.warnings).toEqual([]);
  });
});

describe("strings that the tenant already has", () => {
  test("are accepted even if they are invalid", async () => {
    await using on = await stage();
    const { state } = await brought(on, acme);
    await on.changeByHand(state.tenantId, { name: "Acme Inc.", user_schedule: "@daily" });
    const inputs = { ...acme, name: "Acme Inc.", schedule: "@daily" };
    expect(await on.operation().tenant.check(inputs, inputs)).toEqual([]);
  });

  test("are accepted of a tenant whose name another one has too, once a read has found it", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, acme);
    await on.changeByHand(state.tenantId, { name: "Acme Inc.", user_schedule: "@daily" });
    await on.add({ integration: 101, name: "Acme Inc." });
    const inputs = { ...acme, name: "Acme Inc.", schedule: "@daily" };
    const { tenant } = on.operation();
    await tenant.read(id, { ...state, name: "Acme Inc." });
    expect(await tenant.check(inputs, inputs)).toEqual([]);
  });

  test("do not make other invalid strings acceptable", async () => {
    await using on = await stage();
    const { state } = await brought(on, acme);
    await on.changeByHand(state.tenantId, { name: "Acme Inc.", user_schedule: "@daily" });
    const old = { ...acme, name: "Acme Inc.", schedule: "@daily" };
    const failures = await on.operation().tenant.check({ ...acme, name: "Acme Ltd.", schedule: "@never" }, old);
    expect(failures.map(({ property }) => property)).toEqual(["name", "schedule"]);
  });

  test("are also accepted in a take-over", async () => {
    await using on = await stage();
    const id = await on.add({ integration: 101, name: "Acme Inc.", user_schedule: "@daily" });
    const inputs = { ...acme, name: "Acme Inc.", schedule: "@daily", adopt: id };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
  });
});

test("numbers that JSON cannot hold are refused, as they would be sent as null", async () => {
  await using on = await stage();
  const configs = { region: "eu", batch: Number.NaN, deep: { list: [1, Number.POSITIVE_INFINITY] } };
  const reason = "is a number that JSON cannot hold (NaN or infinite): null would be sent in its place";
  expect(await on.operation().tenant.check({ ...acme, configs }, undefined)).toEqual([
    { property: "configs.batch", reason },
    { property: "configs.deep.list[1]", reason },
  ]);
});

test("a wrong API key is an error, not a failure of an input", async () => {
  await using on = await stage({}, { apiKey: "wrong" });
  await expect(on.operation().tenant.check(complete, undefined)).rejects.toThrow(
    /status 403.*INTEGRATION_PLATFORM_API_KEY/s,
  );
});

test("any number of checks share one list of tenants", async () => {
  await using on = await stage();
  const { tenant } = on.operation();
  for (const name of ["a", "b", "c", "d"]) await tenant.check({ ...complete, name }, undefined);
  expect(on.listCount()).toBe(1);
});

describe("a schedule with signs that not every cron has", () => {
  test.each([
    ["0 6 L * *", '"L"'],
    ["0 6 15W * *", '"W"'],
    ["0 6 * * FRI#2", '"#"'],
    ["0 6 ? * MON", '"?"'],
    ["0 6 LW * *", '"L" and "W"'],
    ["0 6 * JUL-AUG WED", undefined],
    ["*/15 * * * *", undefined],
    ["none", undefined],
  ])("%j is a warning that names %s", async (schedule, named) => {
    await using on = await stage();
    const { tenant } = on.operation();
    expect(await tenant.check({ ...acme, schedule }, undefined)).toEqual([]);
    const text = `schedule: "${schedule}" has ${named}, which not every cron has: the platform may refuse it`;
    expect(on.warnings).toEqual(named === undefined ? [] : [text]);
  });

  test("is no warning where it is refused anyway", async () => {
    await using on = await stage();
    const failures = await on.operation().tenant.check({ ...acme, schedule: "@daily" }, undefined);
    expect(failures.map(({ property }) => property)).toEqual(["schedule"]);
    expect(on.warnings).toEqual([]);
  });

  test("is no warning for a tenant that the platform shows with such a one", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...complete, schedule: "0 6 * * *" });
    await on.changeByHand(id, { user_schedule: "0 0 6 L * ?" });
    await on.operation().tenant.check({ ...complete, schedule: "0 7 L * *" }, state);
    expect(on.warnings).toEqual([]);
    await on.operation().tenant.check({ ...complete, schedule: "0 7 15W * *" }, state);
    expect(on.warnings).toEqual([expect.stringContaining('has "W", which')]);
  });
});
