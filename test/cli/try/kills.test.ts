import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import { commandLine } from "../run-cli.ts";
import { seed, tryStage } from "./stage.ts";

// The platform serves the request, and its answer comes only when the process has been killed.
const hanging = { kind: "delay", ms: 120_000, applied: true } as const;

/** At which request a process is killed, by the id of its tenant. */
const points: readonly [string, (id: number) => FaultSpec][] = [
  ["the record is written", (id) => ({ ...hanging, match: { method: "PATCH", path: `/${id}/metadata` } })],
  ["the tenant is moved", (id) => ({ ...hanging, match: { method: "PATCH", path: `/${id}$` } })],
  ["the init sync is requested", (id) => ({ ...hanging, match: { method: "POST", path: `/${id}/sync` } })],
  ["the normal sync is requested", (id) => ({ ...hanging, match: { method: "POST", path: `/${id}/sync` }, skip: 1 })],
  ["the tenant is moved back", (id) => ({ ...hanging, match: { method: "PATCH", path: `/${id}$` }, skip: 1 })],
];

function stageOfMany() {
  const [first] = seed.tenants ?? [];
  const tenants = [...points, "interrupted"].map((_, at) => ({ ...first, id: at + 1, name: `test-${at + 1}` }));
  return tryStage({ seed: { ...seed, tenants } });
}

type Stage = Awaited<ReturnType<typeof tryStage>>;

function start({ emulator, env, command }: Stage, id: number) {
  const platform = { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey };
  const args = [commandLine, ...command("--release", "12", "--tenant", String(id))];
  return spawn(process.execPath, args, { env: { ...process.env, ...platform, ...env } });
}

/** Ends a process by a signal once a request meets the fault, and returns its exit code. */
async function endAt(on: Stage, id: number, fault: FaultSpec, signal: NodeJS.Signals) {
  on.emulator.fault(fault);
  const trying = start(on, id);
  const isThere = () => on.emulator.requests().some((one) => one.fault === "delay" && one.path.includes(`/${id}`));
  await expect.poll(isThere, { timeout: 60_000, interval: 50 }).toBe(true);
  trying.kill(signal);
  const [code] = await once(trying, "exit");
  return code;
}

test("after a kill at any point, one command puts all tenants back", async () => {
  await using on = await stageOfMany();
  await Promise.all(points.map(([, faultAt], at) => endAt(on, at + 1, faultAt(at + 1), "SIGKILL")));
  const moved = await Promise.all(points.map((_, at) => on.raw(at + 1)));
  expect(moved.map((one) => one.integration_release_id)).toEqual([11, 12, 12, 12, 11]);
  expect(moved.every(({ metadata }) => Object(metadata).integrationPlatformTry.release === 12)).toBe(true);
  on.emulator.clearFaults();
  expect(await on.run("--restore", "--pool", 'name ~= "^test-"')).toMatchObject({ code: 0 });
  const back = await Promise.all(points.map((_, at) => on.raw(at + 1)));
  const before = { integration_release_id: 11, integration_release_channel: null };
  expect(back).toEqual(points.map(() => ({ ...before, metadata: { cursor: 1, integrationPlatformTry: null } })));
}, 120_000);

test("Ctrl-C puts the tenant back and ends with 1", async () => {
  await using on = await tryStage();
  const fault = { kind: "delay", ms: 2000, match: { method: "POST", path: "/1/sync" } } as const;
  expect(await endAt(on, 1, fault, "SIGINT")).toBe(1);
  expect(await on.raw(1)).toMatchObject({ integration_release_id: 11, metadata: { integrationPlatformTry: null } });
}, 60_000);
