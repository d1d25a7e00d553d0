import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { sendRequest as call } from "../send-request.ts";

export { call };

/** An emulator that is closed when the test is over. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

/** A directory that is removed when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "emulator-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Creates a tenant by POST. @returns its id. */
export async function createTenant(emulator: Emulator, fields: object = {}): Promise<number> {
  const { status, body } = await call(emulator, "POST", "/v2/tenants", {
    name: "acme",
    integration_id: 101,
    ...fields,
  });
  if (status !== 200) throw new Error(`creating the tenant answered ${status}: ${JSON.stringify(body)}`);
  return numberAt(body, "id");
}

/** An emulator whose clock stands still until it is advanced, closed when the test is over. */
export function startManual(options: EmulatorOptions = {}): Promise<Emulator> {
  return startEmulator({ clock: "manual", ...options });
}

/** Installs a tenant from the marketplace: it is connected and not paused. @returns its id. */
export async function install(emulator: Emulator, fields: object = {}): Promise<number> {
  const given = { integration: "crm-to-billing", name: "acme", user_name: "user-1", ...fields };
  return numberAt((await call(emulator, "POST", "/_emulator/tenants", given)).body, "id");
}

/** Requests a sync of a tenant. @returns the id of the trigger. */
export async function sync(emulator: Emulator, tenantId: number, mode = "normal"): Promise<string> {
  const { status, body } = await call(emulator, "POST", `/v2/tenants/${tenantId}/sync?mode=${mode}`);
  if (status !== 202) throw new Error(`the sync answered ${status}: ${JSON.stringify(body)}`);
  return String(Object(body).trigger_id);
}

/** The status word of a trigger's run; the status of the response when it is not 200. */
export async function triggerStatus(emulator: Emulator, triggerId: string): Promise<unknown> {
  const { status, body } = await call(emulator, "GET", `/v2/runs/triggers/${triggerId}/status`);
  return status === 200 ? Object(body).status : status;
}

/** A tenant's runs, oldest first. */
export async function runsOf(emulator: Emulator, tenantId: number): Promise<unknown[]> {
  const { body } = await call(emulator, "GET", `/_emulator/runs?tenant_id=${tenantId}`);
  if (!Array.isArray(body)) throw new Error(`no runs: ${JSON.stringify(body)}`);
  return body.reverse();
}

/** The tenant as lists show it, live or archived; undefined when no list has it. */
export async function readTenant(emulator: Emulator, id: number): Promise<unknown> {
  for (const archived of [false, true]) {
    const { body } = await call(emulator, "GET", `/v2/tenants?limit=500&archived=${archived}`);
    const found = Array.isArray(body) ? body.find((tenant) => numberAt(tenant, "id") === id) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** The ids in a list. */
export function ids(body: unknown): number[] {
  if (!Array.isArray(body)) throw new Error(`not a list: ${JSON.stringify(body)}`);
  return body.map((item) => numberAt(item, "id"));
}

export function numberAt(value: unknown, key: string): number {
  const found = typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(key) : undefined;
  if (typeof found !== "number") throw new Error(`no number "${key}" in ${JSON.stringify(value)}`);
  return found;
}
