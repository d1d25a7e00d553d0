import { expect, test } from "vitest";
import { install, startClient } from "./start-client.ts";

test("integrations, releases and tenants are found by their names", async () => {
  const on = await startClient();
  const id = await install(on, { name: "acme" });
  const twin = await install(on, { name: "acme" });
  await install(on, { name: "other" });

  expect(await on.client.integrations.named("crm-to-billing")).toMatchObject([{ id: 101 }]);
  expect(await on.client.releases.tagged(101, "v1.0.0")).toMatchObject([{ id: 901 }]);
  expect((await on.client.tenants.named("acme")).map((tenant) => tenant.id)).toEqual([id, twin]);

  await on.client.tenants.archive(twin);
  expect((await on.client.tenants.named("acme", { integrationId: 101 })).map((tenant) => tenant.id)).toEqual([id]);
});

test("an unknown name finds nothing", async () => {
  const { client } = await startClient();
  expect(await client.integrations.named("crm")).toEqual([]);
  expect(await client.releases.tagged(101, "v9")).toEqual([]);
  expect(await client.tenants.named("nobody", { integrationId: 101 })).toEqual([]);
});
