import type { Seed } from "../../../src/emulator/index.ts";

/** When tenants ran. */
const [longAgo, before, lately] = ["2026-05-01T08:00:00.000Z", "2026-05-29T10:00:00.000Z", "2026-05-31T22:00:00.000Z"];

function run(
  id: number,
  phase: "succeeded" | "failed" | "running",
  startTime: string,
  completionTime: string | null = startTime,
) {
  return { id, mode: "normal", status: { phase, startTime, completionTime } };
}

const connectors = (status: string, last_change: string | null) => [{ name: "crm", status, last_change }];
const on = { connected: true, connectors: connectors("connected", longAgo) };
const off = { connected: false, connectors: connectors("disconnected", longAgo) };
const fresh = { connected: false, connectors: connectors("disconnected", null) };

/** Tenants in every state that commands show, on 2026-06-01, when a manual clock of the emulator starts. */
export const someTenants: Seed = {
  integrations: [
    {
      id: 101,
      name: "billing",
      connectors: [{ name: "crm", isGlobal: false }],
      default_schedule: "0 3 * * *",
      default_release_id: 11,
      runs: { takes_seconds: 2, log: ["reading contacts"] },
      releases: [
        {
          id: 11,
          name: "one",
          tag: "v1.0.0",
          created_date: "2026-01-01T00:00:00.000Z",
          config_schema: { type: "object", properties: { pin: { type: "string", format: "password" } } },
        },
        { id: 12, name: "two", tag: "v2.0.0", created_date: "2026-02-01T00:00:00.000Z" },
      ],
    },
    {
      id: 102,
      name: "payroll",
      connectors: [{ name: "hr", isGlobal: false }],
      releases: [{ id: 21, name: "p", tag: "p1" }],
    },
  ],
  tenants: [
    {
      id: 1,
      integration: "billing",
      name: "acme",
      paused: false,
      integration_release_id: 11,
      user_schedule: "*/15 * * * *",
      configs: { region: "eu", size: 200, pin: "pin-4711" },
      metadata: { plan: "gold", api_key: "key-4711" },
      status: {
        auth: on,
        last_run: run(7, "succeeded", before, lately),
        last_successful_run: run(7, "succeeded", before, lately),
      },
    },
    {
      id: 2,
      integration: "billing",
      name: "broken",
      paused: false,
      integration_release_id: 12,
      metadata: { plan: "tin" },
      status: {
        auth: on,
        last_run: run(9, "failed", lately),
        last_successful_run: run(8, "succeeded", longAgo, before),
      },
    },
    {
      id: 3,
      integration: "billing",
      name: "unlucky",
      paused: true,
      integration_release_channel: "Latest",
      metadata: { plan: "gold" },
      status: { auth: on, last_run: run(10, "failed", lately) },
    },
    {
      id: 4,
      integration: "billing",
      name: "newcomer",
      paused: true,
      integration_release_id: 11,
      status: { auth: fresh },
    },
    {
      id: 5,
      integration: "billing",
      name: "gone",
      paused: false,
      integration_release_id: 11,
      status: {
        auth: off,
        last_run: run(11, "succeeded", longAgo),
        last_successful_run: run(11, "succeeded", longAgo),
      },
    },
    {
      id: 6,
      integration: "payroll",
      name: "acme",
      paused: false,
      integration_release_id: 21,
      status: { auth: { connected: true, connectors: [{ name: "hr", status: "connected", last_change: longAgo }] } },
    },
  ],
};
