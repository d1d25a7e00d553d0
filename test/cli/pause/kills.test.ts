import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { SeedTenant } from "../../../src/emulator/index.ts";
import { type Incident, openIncident, runAndKillWhen } from "./incident-fixture.ts";

vi.setConfig({ testTimeout: 60_000 }); // several processes start at once

const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42", "--no-override"];

/** Every third is paused already. */
const tenants = Array.from(
  { length: 90 },
  (_, index): SeedTenant => ({
    id: index + 1,
    integration: "billing",
    name: `t-${index + 1}`,
    paused: index % 3 === 0,
  }),
);
const slowLists: Parameters<typeof openIncident>[1] = { variants: { visibility: "lagging" }, consistencySeconds: 8 };
const runningAtFirst = tenants.filter(({ paused }) => !paused).map(({ name }) => name);

/** Starts the command, and kills it once the platform has served so many PATCHes. It closes the connections of all others. */
async function runAndKill(incident: Incident, args: readonly string[], after: number): Promise<void> {
  const { emulator } = incident;
  emulator.fault({ kind: "cut-before", match: { method: "PATCH" }, skip: after, times: 99 });
  await runAndKillWhen(incident, args, () => emulator.requests().some(({ fault }) => fault === "cut-before"));
  emulator.clearFaults();
}

test.concurrent.each([1, 20, 45])(
  "a pause killed after %i PATCHes, run again, and a resume bring back what was running",
  async (after) => {
    await using incident = await openIncident(tenants);
    await runAndKill(incident, pauseBilling, after);
    const half = await incident.running();
    expect(half.length).toBeGreaterThan(0);
    const note = JSON.parse(await incident.read("integration-platform-pause.json"));
    expect(note.tenants.filter((one: { wasPaused: boolean }) => !one.wasPaused)).toHaveLength(runningAtFirst.length);
    await incident.succeed(...pauseBilling);
    expect(await incident.running()).toEqual([]);
    expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await incident.running()).toEqual(runningAtFirst);
  },
);

test.concurrent("a resume right after a killed pause waits until the lists show what it did", async () => {
  await using incident = await openIncident(tenants, { ...slowLists, lagSeconds: 4 });
  await runAndKill(incident, pauseBilling, 30);
  const resumed = await incident.run("resume");
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain("waiting 8 s");
  expect(await incident.running()).toEqual(runningAtFirst);
});

test.concurrent("a pause of other tenants after a killed pause does not end that wait", async () => {
  await using incident = await openIncident(tenants, { ...slowLists, lagSeconds: 6 });
  await runAndKill(incident, pauseBilling, 30);
  await incident.succeed(...pauseBilling, "--where", 'name == "t-1"');
  const resumed = await incident.run("resume");
  expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining("waiting 8 s") });
  expect(await incident.running()).toEqual(runningAtFirst);
});

test.concurrent("a killed resume is run again, and brings back the rest", async () => {
  await using incident = await openIncident(tenants);
  await incident.succeed(...pauseBilling);
  await runAndKill(incident, ["resume"], 10);
  expect((await incident.running()).length).toBeLessThan(runningAtFirst.length);
  expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
  expect(await incident.running()).toEqual(runningAtFirst);
});

test.concurrent("a lock of a process that has died does not count", async () => {
  await using incident = await openIncident(tenants.slice(0, 3));
  const died = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => died.once("exit", resolve));
  await writeFile(join(incident.folder, "integration-platform-pause.json.lock"), String(died.pid));
  await incident.succeed(...pauseBilling);
  expect(await incident.files()).toEqual(["integration-platform-pause.json"]);
});

test.concurrent("a command killed while it holds the lock does not stop the next one", async () => {
  const shop: SeedTenant = { id: 200, integration: "shop", name: "fjord", paused: false };
  await using incident = await openIncident([...tenants.slice(0, 3), shop]);
  await incident.write(
    "Pulumi.production.yaml",
    `config:\n  integration-platform:baseUrl: ${incident.emulator.url}\n  integration-platform:tenants: {}\n`,
  );
  await incident.succeed(...pauseBilling);
  incident.emulator.clearRequests();
  // The pause of shop lists the tenants of billing when it plans the overrides.
  const ofBilling = "integration_id=101";
  incident.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "GET", query: ofBilling } });
  const pauseShop = ["pause", "--integration", "shop", "--reason", "INC-42", "--no-override"];
  const isPlanning = () => incident.emulator.requests().some(({ fault }) => fault === "delay");
  await runAndKillWhen(incident, pauseShop, isPlanning);
  expect(await incident.files()).toContain("integration-platform-pause.json.lock");
  await incident.succeed(...pauseShop);
  expect(await incident.files()).toEqual(["Pulumi.production.yaml", "integration-platform-pause.json"]);
  await incident.succeed("resume", "--no-override");
  expect(await incident.running()).toEqual([...runningAtFirst.slice(0, 2), "fjord"]);
});

test.concurrent.each([
  ["the key is refused", { kind: "status", status: 401 } as const, /not tried, because the API key was refused/],
  ["the server fails", { kind: "status", status: 503 } as const, /503/],
])("if %s for all PATCHes, it says so for each tenant and ends with 1", async (_, fault, message) => {
  await using incident = await openIncident(tenants);
  incident.emulator.fault({ ...fault, match: { method: "PATCH" }, times: 10_000 });
  const { code, stdout } = await incident.run(...pauseBilling);
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, " ")).toMatch(message);
  expect(stdout.match(/^ {2}t-\d+ \(/gm)).toHaveLength(runningAtFirst.length);
});

test.concurrent("if the list after the PATCHes fails, it says what to do, and the same command then ends well", async () => {
  await using incident = await openIncident(tenants);
  incident.emulator.fault({
    kind: "status",
    status: 500,
    match: { method: "GET", path: "/v2/tenants" },
    skip: 2,
    times: 5,
  });
  const { code, stderr } = await incident.run(...pauseBilling);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: the requests to pause the tenants were sent, .*run the same command again\n$/);
  await incident.succeed(...pauseBilling);
  await incident.succeed("resume");
  expect(await incident.running()).toEqual(runningAtFirst);
});
