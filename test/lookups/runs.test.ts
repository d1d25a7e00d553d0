import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { getTenants } from "../../src/lookups/index.ts";
import { Tenant } from "../../src/resources/tenant/resource.ts";
import { type Stage, stage } from "../resources/stage.ts";

test("two runs in one process use their own platforms, also when one runs again", async () => {
  await using sandbox = await stage();
  await using production = await stage();
  await sandbox.add({ integration: 101, name: "trial" });
  await production.add({ integration: 101, name: "customer" });
  const namesOf = async (on: Stage) => {
    await startRun(on);
    const { tenants } = await getTenants({ integration: "crm-to-billing" });
    return tenants.map(({ name }) => name);
  };

  expect(await namesOf(sandbox)).toEqual(["trial"]);
  expect(await namesOf(production)).toEqual(["customer"]);
  await sandbox.add({ integration: 101, name: "made-meanwhile" });
  expect(await namesOf(sandbox)).toEqual(["trial", "made-meanwhile"]);
});

test("two runs may declare the same tenants, and so may two tests in one run", async () => {
  await using on = await stage();
  for (const _ of [1, 2]) {
    await startRun(on);
    expect(await declareTwoTenants()).toEqual(["acme", "globex"]);
    expect(await declareTwoTenants()).toEqual(["acme", "globex"]);
  }
});

async function declareTwoTenants(): Promise<string[]> {
  const tenants = ["acme", "globex"].map((name) => new Tenant(name, { integration: "crm-to-billing" }));
  const names = pulumi.all(tenants.map(({ name }) => name));
  const { promise, resolve } = Promise.withResolvers<string[]>();
  names.apply(resolve);
  return promise;
}

/** As a test of a user does: there is no other way to know that a run has begun. */
async function startRun(on: Stage): Promise<void> {
  await pulumi.runtime.setMocks({
    call: ({ inputs }) => inputs,
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
  });
  pulumi.runtime.setAllConfig({
    "integration-platform:baseUrl": on.emulator.url,
    "integration-platform:apiKey": on.emulator.apiKey,
  });
}
