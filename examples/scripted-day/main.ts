import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createClient, type Tenant } from "pulumi-integration-platform/api";
import { createEmulator } from "pulumi-integration-platform/emulator";

// Plays a day on the platform in a second. A customer installs an integration and connects it. Its first sync runs, its
// schedule fires twice, and the second run fails. The webhook of the failure arrives, the run's log is read, and a connector
// is disconnected. The client of the API does all of this but what only the console can do.
//
//   node examples/scripted-day/main.ts

const hour = 3600; // in seconds
const emulator = await createEmulator({ clock: "manual" });
const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
const receiver = await startReceiver();
try {
  await playDay();
} finally {
  receiver.close();
  await client.close();
  await emulator.close();
}

async function playDay(): Promise<void> {
  const integration = await findIntegration("hr-to-payroll");
  await inConsole("PATCH", "/settings", {
    webhook_url: receiver.url,
    primary_contact: "operations@example.com",
    notifications: { run_failed: { send_webhook: true } },
  });

  const userName = "user-77";
  const unconnected = { auth: { connected: false, connectors: [] } };
  await inConsole("POST", "/tenants", {
    integration: integration.id,
    name: "acme",
    user_name: userName,
    status: unconnected,
  });
  const { id } = await tenantOf(userName);
  print("00:00", `user-77 has installed ${integration.name}: tenant ${id}`);

  for (const { name } of integration.connectors ?? []) {
    await inConsole("POST", `/tenants/${id}/connectors/${name}`, { status: "connected" });
  }
  print("00:00", `and connected it: ${(await tenantOf(userName)).status?.auth?.connected}`);

  const trigger = await client.integrations.sync(integration.id, { mode: "init", userName });
  await emulator.advance({ seconds: 60 });
  const { status } = await client.runs.getTriggerStatus(trigger.trigger_id);
  const found = (await tenantOf(userName)).status?.dynamic_configs;
  print("00:01", `the init sync has ${status} and found ${JSON.stringify(found)}`);

  await client.tenants.update(id, { user_schedule: "0 6,12,18 * * *" });
  await emulator.advance({ seconds: 6 * hour });
  print("06:01", `the schedule has fired, the run has ${phaseOf(await tenantOf(userName))}`);

  await emulator.advance({ seconds: 6 * hour });
  const payload = await receiver.nextPayload();
  print(
    "12:01",
    `webhook ${payload.event_type}: run ${payload.run_id} of ${payload.tenant_name} has ${payload.run_status}`,
  );
  print("12:01", `e-mail to ${emulator.outbox().map(({ to, subject }) => `${to}: ${subject}`)}`);
  console.log(await client.runs.getLog(Number(payload.run_id)));

  await client.connectors.disconnect(id, "payroll");
  const lastRun = (await tenantOf(userName)).status?.last_run.id;
  await emulator.advance({ seconds: 12 * hour });
  const isQuiet = (await tenantOf(userName)).status?.last_run.id === lastRun;
  print("24:01", `payroll is disconnected, no schedule has fired since: ${isQuiet}`);
}

function print(time: string, text: string): void {
  console.log(`${time}  ${text}`);
}

async function findIntegration(name: string) {
  for await (const integration of client.integrations.list()) if (integration.name === name) return integration;
  throw new Error(`there is no integration ${name}`);
}

async function tenantOf(userName: string): Promise<Tenant> {
  const [tenant] = await client.tenants.listPage({ userName });
  if (!tenant) throw new Error(`user ${userName} has no tenant`);
  return tenant;
}

function phaseOf({ status }: Tenant): unknown {
  return Object(status?.last_run.status).phase;
}

/** Does what a person would do in the console, because the API cannot do it. */
async function inConsole(method: string, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${emulator.url}/_emulator${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/** Starts a server that receives the platform's webhooks, as one of the customer would. */
async function startReceiver() {
  const received = Promise.withResolvers<Record<string, unknown>>();
  const server = createServer(async (request, response) => {
    response.end();
    received.resolve(Object(await json(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  return {
    url: `http://127.0.0.1:${port}/webhooks?token=only-we-know`,
    nextPayload: () => received.promise,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
