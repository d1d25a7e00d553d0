import { expect, test } from "vitest";
import { failureOf } from "../failure-of.ts";
import { complete, type Stage, stage } from "../resources/stage.ts";
import { startHost } from "./provider-host.ts";

const inputs = { integration: "crm-to-billing", name: "acme" };

test("a state of another platform fails every call without changes on either platform", async () => {
  await using here = await stage();
  await using there = await stage();
  await using host = await hostOf(here);
  const { id, properties } = await host.create(inputs);
  await there.add({ integration: 101, name: "acme" }); // under the same id
  expect(await there.tenant(id)).toMatchObject({ name: "acme" });
  expect(properties.platform).toMatch(/^[\w-]{8}$/);

  await using elsewhere = await hostOf(there);
  for (const on of [here, there]) on.emulator.clearRequests();
  const calls = [
    elsewhere.diff(id, properties, { ...inputs, paused: false }),
    elsewhere.read(id, properties),
    elsewhere.update(id, properties, { ...inputs, paused: false }),
    elsewhere.delete(id, properties),
  ];
  const told = `Tenant "acme" (id ${id}) was made on another platform than ${there.emulator.url}`;
  for (const { message } of await Promise.all(calls.map(failureOf))) {
    expect(message).toContain(told);
    expect(message).toMatch(
      /from INTEGRATION_PLATFORM_BASE_URL.*Nothing was changed.*INTEGRATION_PLATFORM_MOVED_FROM=/,
    );
  }
  expect((await failureOf(elsewhere.create({ ...inputs, name: "new" }))).message).toContain(told);
  expect([here.writes(), there.writes()]).toEqual([[], []]);
});

test("with the old address named, the state is accepted and gets the new one", async () => {
  await using on = await stage();
  await using host = await hostOf(on);
  const { id, properties } = await host.create(inputs);
  const moved = { INTEGRATION_PLATFORM_BASE_URL: on.emulator.url.replace("127.0.0.1", "localhost") };
  const former = { INTEGRATION_PLATFORM_MOVED_FROM: `${on.emulator.url}/` };
  await using next = await hostOf(on, { ...moved, ...former });

  expect(await next.diff(id, properties, inputs)).toMatchObject({ changes: 2, replaces: [] });
  const updated = await next.update(id, properties, inputs);
  expect(updated).toEqual({ ...properties, platform: expect.not.stringMatching(String(properties.platform)) });
  expect((await next.read(id, properties)).properties).toEqual(updated);
  expect(await next.diff(id, updated, inputs)).toMatchObject({ changes: 1 });

  await using later = await hostOf(on, moved);
  expect(await later.diff(id, updated, inputs)).toMatchObject({ changes: 1 });
  await using wrong = await hostOf(on, { ...moved, INTEGRATION_PLATFORM_MOVED_FROM: "http://localhost:1" });
  expect((await failureOf(wrong.read(id, properties))).message).toMatch(/not on http:\/\/localhost:1 .* either/);
});

test("a state without an address is accepted, and an address that overrides another is reported once", async () => {
  await using on = await stage();
  await using host = await startHost({ environment: environmentOf(on) });
  await host.configure({ "integration-platform:baseUrl": "https://me:pw@platform.example.com/eu/" });
  const { id, properties } = await host.create(complete);
  const { platform, ...older } = properties;
  expect((await host.read(id, older)).properties).toEqual(properties);
  expect(await host.diff(id, older, complete)).toMatchObject({ changes: 1 });
  const told = `INTEGRATION_PLATFORM_BASE_URL (${on.emulator.url}) wins over integration-platform:baseUrl of the stack's config (https://platform.example.com/eu)`;
  await expect.poll(() => host.output().split(told).length, { timeout: 600_000 }).toBe(2);
});

async function hostOf(on: Stage, environment: Record<string, string> = {}) {
  const host = await startHost({ environment: { ...environmentOf(on), ...environment } });
  await host.configure();
  return host;
}

function environmentOf({ emulator }: Stage) {
  return { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey };
}
