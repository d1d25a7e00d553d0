import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { SeedTenant } from "../../../src/emulator/index.ts";
import { type Incident, openIncident } from "./incident-fixture.ts";

const main = join(import.meta.dirname, "../../../src/cli/main.ts");
const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42"];

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
const runningAtFirst = tenants.filter(({ paused }) => !paused).map(({ name }) => name);

/** Starts the command, and kills it once the platform has answered so many PATCHes. */
async function runAndKill(
  { emulator, folder, patches }: Incident,
  args: readonly string[],
  after: number,
): Promise<void> {
  const env = {
    ...process.env,
    INTEGRATION_PLATFORM_BASE_URL: emulator.url,
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
  };
  const child = spawn(process.execPath, [main, ...args], { env, cwd: folder, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  const before = patches().length;
  while (patches().length < before + after) await sleep(5);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
}

test.each([1, 20, 45])(
  "a pause killed after %i PATCHes, run again, and a resume bring back what was running",
  async (after) => {
    await using incident = await openIncident(tenants);
    incident.emulator.fault({ kind: "rate-limit", perSecond: 40, match: { method: "PATCH" } });
    await runAndKill(incident, pauseBilling, after);
    const half = await incident.running();
    expect(half.length).toBeGreaterThan(0);
    const note = JSON.parse(await incident.read("integration-platform-pause.json"));
    expect(note.tenants.filter((one: { wasPaused: boolean }) => !one.wasPaused)).toHaveLength(runningAtFirst.length);
    incident.emulator.clearFaults();
    expect(await incident.run(...pauseBilling)).toMatchObject({ code: 0 });
    expect(await incident.running()).toEqual([]);
    expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await incident.running()).toEqual(runningAtFirst);
  },
);

test("a resume right after a killed pause waits until the lists show what it did", { timeout: 60_000 }, async () => {
  await using incident = await openIncident(tenants, { variants: { visibility: "lagging" }, lagSeconds: 4 });
  incident.emulator.fault({ kind: "rate-limit", perSecond: 40, match: { method: "PATCH" } });
  await runAndKill(incident, pauseBilling, 30);
  incident.emulator.clearFaults();
  const resumed = await incident.run("resume");
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain("waiting 10 s");
  expect(await incident.running()).toEqual(runningAtFirst);
});

test("a killed resume is run again, and brings back the rest", async () => {
  await using incident = await openIncident(tenants);
  expect(await incident.run(...pauseBilling)).toMatchObject({ code: 0 });
  incident.emulator.fault({ kind: "rate-limit", perSecond: 40, match: { method: "PATCH" } });
  await runAndKill(incident, ["resume"], 10);
  incident.emulator.clearFaults();
  expect((await incident.running()).length).toBeLessThan(runningAtFirst.length);
  expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
  expect(await incident.running()).toEqual(runningAtFirst);
});

test("a lock of a process that has died does not count", async () => {
  await using incident = await openIncident(tenants.slice(0, 3));
  const died = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => died.once("exit", resolve));
  await writeFile(join(incident.folder, "integration-platform-pause.json.lock"), String(died.pid));
  expect(await incident.run(...pauseBilling)).toMatchObject({ code: 0 });
  expect(await incident.files()).toEqual(["integration-platform-pause.json"]);
});

test.each([
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

test("if the list after the PATCHes fails, it says what to do, and the same command then ends well", async () => {
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
  expect(await incident.run(...pauseBilling)).toMatchObject({ code: 0 });
  expect(await incident.run("resume")).toMatchObject({ code: 0 });
  expect(await incident.running()).toEqual(runningAtFirst);
});
