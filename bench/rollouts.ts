// `npm run bench:rollouts`: takes a fleet through a rollout of five waves on a platform whose responses take 50 ms, without
// the engine, and prints how long each `up` took, its processor time and its requests. Runs end at once, but the platform
// starts them a second after they were asked for, and the rollout waits for them: `waiting` is the time of these waits.
import { parseArgs } from "node:util";
import { createClient } from "../src/api/index.ts";
import { table } from "../src/cli/fit.ts";
import { createOperationContext } from "../src/operation/operation-context.ts";
import { fleetRolloutLifecycle } from "../src/resources/fleet-rollout/lifecycle.ts";
import type { FleetRolloutState } from "../src/resources/fleet-rollout/schema.ts";
import { writeMembers } from "../src/resources/tenant-fleet/rollout-plan.ts";
import { startServer } from "./server-process.ts";

const { values } = parseArgs({ options: { tenants: { type: "string", default: "3000" } } });
const size = Number(values.tenants);
const latencyMilliseconds = 50;
const apiKey = "bench-key";

await using emulator = await startServer("src/cli/main.ts", "emulator", "--port", "0", "--api-key", apiKey);
const admin = (method: string, path: string, body: object) =>
  fetch(`${emulator.url}${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
  });

await admin("PATCH", "/_emulator/integrations/101", { runs: { takes_seconds: 0 } });
const members: { key: string; id: number }[] = [];
for (let number = 1; number <= size; number += 1) {
  const key = `customer-${number}`;
  const tenant = { integration: "crm-to-billing", name: key, user_name: key, integration_release_id: 901 };
  const { id } = Object(await (await admin("POST", "/_emulator/tenants", tenant)).json());
  members.push({ key, id });
}
await admin("POST", "/_emulator/faults", { kind: "delay", ms: latencyMilliseconds, times: Number.MAX_SAFE_INTEGER });

const plan = {
  ...{ number: 1, release: 902, label: "v1.1.0", attempt: 1, from: "901", newcomers: "", joined: "", earlier: [] },
  members: writeMembers(members),
  before: { most: "901", others: {} },
};
const percents = [1, 10, 30, 60, 100];
const inputs = {
  fleetName: "billing",
  integrationId: 101,
  plan,
  waves: percents.map((percent) => ({ percent })),
  waitSeconds: 600,
};

let state: FleetRolloutState | undefined;
const rows: (readonly string[])[] = [];
for (const percent of percents) {
  const client = createClient({ baseUrl: emulator.url, apiKey });
  const one = fleetRolloutLifecycle(createOperationContext({ client, warn: console.error }));
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  state = state === undefined ? (await one.create(inputs)).state : await one.update("101/billing", state, inputs);
  const { user, system } = process.cpuUsage(cpu);
  rows.push([`${percent} %`, String(state.moved), seconds(performance.now() - start), seconds((user + system) / 1000)]);
  await client.close();
}
console.log(`${size} tenants, ${latencyMilliseconds} ms of latency`);
console.log(table([["wave", "moved", "seconds", "processor seconds"], ...rows]));
const bytes = JSON.stringify(inputs).length + JSON.stringify(plan).length + JSON.stringify(state).length;
console.log(`${(bytes / size).toFixed(1)} bytes of state a tenant`);

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
