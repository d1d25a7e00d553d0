import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, createTenant, startEmulator, temporaryDirectory } from "../emulator/running-emulator.ts";
import { differences, type Removed } from "./reader.ts";

const stackYaml = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing, schedule: "30 3 * * *", configs: { mapping: { a: x } } }
  integration-platform:tenants:
    own-a: { configs: { region: eu, mapping: { b: y }, api_token: { secure: cipher } }, release: { tag: v1.1.0 } }
    own-b: { name: own-renamed, schedule: none, paused: false }
  integration-platform:fleets:
    billing: { integration: crm-to-billing, defaults: { configs: { region: us } }, tenantsFrom: tenants.yaml, tenants: { own-c: { metadata: { plan: gold } } } }
`;

async function stage() {
  const emulator = await startEmulator();
  const directory = temporaryDirectory();
  await writeFile(join(directory, "Pulumi.test.yaml"), stackYaml);
  await writeFile(join(directory, "tenants.yaml"), "own-c: { release: { channel: Latest } }\n");
  const configs = { region: "eu", mapping: { a: "x", b: "y" }, api_token: "s3cret" };
  const a = await createTenant(emulator, {
    name: "own-a",
    configs,
    user_schedule: "30 3 * * *",
    integration_release_id: 902,
  });
  const b = await createTenant(emulator, { name: "own-renamed", configs: { mapping: { a: "x" } } });
  const c = await createTenant(emulator, {
    name: "own-c",
    configs: { region: "us" },
    integration_release_channel: "Latest",
  });
  await createTenant(emulator, { name: "other-1" });
  const patch = (id: number, change: object) => call(emulator, "PATCH", `/_emulator/tenants/${id}`, change);
  await patch(b, { paused: false, user_schedule: null });
  await patch(c, { metadata: { plan: "gold", more: 1 } });
  const get = async (path: string) => (await call(emulator, "GET", path)).body;
  const plain = new Map([
    ["cipher", "s3cret"],
    ["env:TOKEN", "s3cret"],
  ]);
  const read = (removed: readonly Removed[] = []) =>
    differences({ directory, stack: "test", get, plain, prefix: "own-", mayBeArchived: ({ id }) => id === b, removed });
  /** Writes the stack's file with a part of it replaced, and the fleet's file of tenants. */
  const rewrite = async (from: string, to: string, tenants = "own-c: { release: { channel: Latest } }\n") => {
    if (!stackYaml.includes(from)) throw new Error(`the stack's file does not contain ${from}`);
    await writeFile(join(directory, "Pulumi.test.yaml"), stackYaml.replace(from, to));
    await writeFile(join(directory, "tenants.yaml"), tenants);
  };
  return { emulator, patch, read, rewrite, a, b, c };
}

test("finds nothing if the platform matches the files", async () => {
  const { read } = await stage();
  expect(await read()).toEqual([]);
});

test("finds each setting that differs", async () => {
  const { read, patch, a, b, c } = await stage();
  await patch(a, {
    configs: { region: "eu", mapping: { a: "x" }, api_token: "other" },
    integration_release_id: 901,
    user_schedule: null,
  });
  await patch(b, { paused: true, user_schedule: "1 1 * * *" });
  await patch(c, { integration_release_channel: null, metadata: {} });
  const found = (await read()).map(({ tenant, what }) => `${tenant} ${what}`);
  expect(found.toSorted()).toEqual(
    [
      ...["own-a configs.api_token", "own-a configs.mapping", "own-a release", "own-a schedule"],
      ...["own-c metadata.plan", "own-c release", "own-renamed paused", "own-renamed schedule"],
    ].toSorted(),
  );
});

test("finds a Tenant and a fleet's tenant that belong to another integration", async () => {
  const { emulator, read, patch, a, c } = await stage();
  for (const [id, name] of [
    [a, "own-a"],
    [c, "own-c"],
  ] as const) {
    await patch(id, { name: `moved-${name}` });
    await createTenant(emulator, { name, integration_id: 102, configs: { warehouse: "north", currency: "EUR" } });
  }
  const found = (await read()).filter(({ what }) => what === "integration");
  expect(found).toEqual([
    { tenant: "own-a", what: "integration", declared: 101, live: 102 },
    { tenant: "own-c", what: "integration", declared: 101, live: 102 },
  ]);
});

test("finds duplicate, lost, archived and undeclared tenants", async () => {
  const { read, patch, emulator, b, c } = await stage();
  await createTenant(emulator, { name: "own-a" });
  await patch(b, { archived: true });
  await patch(c, { name: "own-x" });
  expect((await read()).map(({ tenant, what }) => [tenant, what])).toEqual(
    expect.arrayContaining([
      ["own-a", "duplicate"],
      ["own-renamed", "archived"],
      ["own-c", "lost"],
      ["own-x", "undeclared"],
    ]),
  );
  expect(await read()).toHaveLength(4);
});

test("finds tenants that were archived and created again, and removed keys that still exist", async () => {
  const { read, patch, a } = await stage();
  expect(await read([{ tenant: "own-c", part: "metadata", key: "more", value: 1 }])).toMatchObject([
    { tenant: "own-c", what: "metadata.more, which was removed" },
  ]);
  await patch(a, { archived: true, name: "own-a" });
  expect((await read()).map(({ tenant, what }) => [tenant, what])).toEqual([
    ["own-a", "archived unasked"],
    ["own-a", "archived"],
  ]);
});

describe("an override", () => {
  const inForce = "  integration-platform:overrides: { paused: true, reason: INC-42";

  test("pauses the tenants that it names, by key or by name, whatever they declare", async () => {
    const { read, rewrite, patch, b } = await stage();
    for (const name of ["own-b", "own-renamed"]) {
      await rewrite("config:\n", `config:\n${inForce}, tenants: [${name}] }\n`);
      await patch(b, { paused: false });
      expect(await read()).toEqual([{ tenant: "own-renamed", what: "paused", declared: true, live: false }]);
      await patch(b, { paused: true });
      expect(await read()).toEqual([]);
    }
  });

  test("without names pauses all tenants of the stack, or of its fleet", async () => {
    const { read, rewrite, patch, a, b, c } = await stage();
    for (const id of [a, b, c]) await patch(id, { paused: false });
    const running = async () => (await read()).filter(({ what }) => what === "paused").map(({ tenant }) => tenant);
    await rewrite("config:\n", `config:\n${inForce} }\n`);
    expect(await running()).toEqual(["own-a", "own-renamed", "own-c"]);
    await rewrite("defaults: {", "overrides: [{ paused: true, reason: INC-43 }], defaults: {");
    expect(await running()).toEqual(["own-c"]);
  });
});

test("compares no release of a fleet's defaults if the fleet has a rollout", async () => {
  const { read, rewrite } = await stage();
  const defaults = "defaults: { release: { tag: v1.0.0 },";
  await rewrite("defaults: {", defaults, "own-c: {}\n");
  expect((await read()).map(({ tenant, what }) => `${tenant} ${what}`)).toEqual(["own-c release"]);
  await rewrite("defaults: {", `rollout: { waves: [{ percent: 100 }] }, ${defaults}`, "own-c: {}\n");
  expect(await read()).toEqual([]);
});

test("compares the value of a secret to which the files refer", async () => {
  const { read, rewrite, patch, a } = await stage();
  await rewrite("{ secure: cipher }", '{ ref: "env:TOKEN" }');
  expect(await read()).toEqual([]);
  await patch(a, { configs: { region: "eu", mapping: { a: "x", b: "y" }, api_token: "other" } });
  expect(await read()).toEqual([{ tenant: "own-a", what: "configs.api_token", declared: "s3cret", live: "other" }]);
});
