import type { Emulator } from "../../../src/emulator/index.ts";
import { call, createTenant, install, sync } from "../running-emulator.ts";

/** Tenants for the screenshots: connected or not, paused or not, with runs that succeeded or failed. */
export async function fillWithTenants(emulator: Emulator): Promise<void> {
  const failing = { outcome: "fail", takes_seconds: 3 };
  const schedule = "0 */6 * * *";
  const ids = [
    await install(emulator, { name: "acme", user_schedule: schedule, configs: { region: "eu" } }),
    await install(emulator, { name: "globex", user_schedule: schedule, integration_release_channel: "Latest" }),
    await install(emulator, { name: "hooli", user_schedule: "30 2 * * *", runs: failing }),
    await install(emulator, { name: "initech", user_schedule: schedule }),
    await install(emulator, { name: "stark", user_schedule: "*/15 * * * *" }),
  ];
  await createTenant(emulator, { name: "umbrella", user_schedule: schedule });
  for (const id of ids) await sync(emulator, id);
  await emulator.advance({ seconds: 60 });
  const [, , , last = 0, running = 0] = ids;
  await call(emulator, "PATCH", `/v2/tenants/${last}`, { paused: true });
  await sync(emulator, running);
  await emulator.advance({ seconds: 2 });
}
