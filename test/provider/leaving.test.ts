import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { complete, stage } from "../resources/stage.ts";
import { startHost } from "./provider-host.ts";

test("the provider exits with its engine, so that it does not create tenants that the next up creates too", async () => {
  await using on = await stage();
  await using host = await startHost({ environment: environmentOf(on) });
  await host.configure();
  on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "POST" } });
  const creating = host.create(complete);
  creating.catch(() => {}); // its end is cut off
  while (on.writes().length === 0) await setTimeout(50);
  host.letGo();
  await host.ended;
  await expect(creating).rejects.toThrow();
});

test("it exits with its engine even before its first call or without settings", async () => {
  await using host = await startHost();
  await host.configure();
  await expect(host.check(complete)).rejects.toThrow("no base URL");
  host.letGo();
  await host.ended;
});

test("it stays while the engine responds, even if its standard input is closed", async () => {
  await using on = await stage();
  const engine = createServer().listen(0, "127.0.0.1");
  await once(engine, "listening");
  const address = Object(engine.address());
  await using host = await startHost({ environment: environmentOf(on), engineAddress: `127.0.0.1:${address.port}` });
  await host.configure();
  expect((await host.check(complete)).failures).toEqual([]);
  const asked = once(engine, "connection");
  host.letGo();
  await asked;
  expect((await host.check(complete)).failures).toEqual([]);
  engine.close();
});

function environmentOf({ emulator }: Awaited<ReturnType<typeof stage>>) {
  return { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey };
}
