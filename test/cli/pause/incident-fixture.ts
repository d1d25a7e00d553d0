import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import type { EmulatorOptions } from "../../../src/emulator/emulator-options.ts";
import { createEmulator, type Emulator, type SeedTenant } from "../../../src/emulator/index.ts";
import { type CliOutcome, commandLine, runCli, runCliProcess } from "../run-cli.ts";

const recordSchema = z.looseObject({ name: z.string(), paused: z.boolean(), archived: z.boolean() });

/** A platform in an incident, and a folder with the files of stacks. */
export interface Incident extends AsyncDisposable {
  emulator: Emulator;
  folder: string;
  /** Runs a command in the folder, in this process. */
  run(...args: string[]): Promise<CliOutcome>;
  /** Runs a command as {@link run} does, but as a process of its own. */
  runProcess(...args: string[]): Promise<CliOutcome>;
  /** Runs a command as {@link run} does, and fails with what it says if its exit code is not 0. */
  succeed(...args: string[]): Promise<CliOutcome>;
  /** The names of the tenants that the platform lists as running, by raw HTTP. */
  running(): Promise<string[]>;
  /** Changes a tenant as a person does in the console. */
  change(id: number, fields: object): Promise<void>;
  /** Writes a file of the folder. */
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  files(): Promise<string[]>;
  /** The PATCHes of tenants so far, as id and body. */
  patches(): { id: number; body: unknown }[];
}

export const integrations = [
  { id: 101, name: "billing", releases: [{ id: 11, name: "one", tag: "v1" }] },
  { id: 102, name: "shop", releases: [{ id: 12, name: "two", tag: "v1" }] },
];

/** Three of billing run, one does not; one of shop runs. */
export const someTenants: SeedTenant[] = [
  { id: 1, integration: "billing", name: "acme", paused: false, metadata: { plan: "gold" } },
  { id: 2, integration: "billing", name: "bluebird", paused: false, metadata: { plan: "tin" } },
  { id: 3, integration: "billing", name: "cedar", paused: true, metadata: { plan: "gold" } },
  { id: 4, integration: "billing", name: "dune", paused: false, metadata: { plan: "gold" } },
  { id: 5, integration: "shop", name: "fjord", paused: false },
];

export async function openIncident(
  tenants: readonly SeedTenant[] = someTenants,
  { consistencySeconds = 2, ...options }: Omit<EmulatorOptions, "seed"> & { consistencySeconds?: number } = {},
): Promise<Incident> {
  const folder = await mkdtemp(join(tmpdir(), "pause-"));
  const emulator = await createEmulator({ ...options, seed: { integrations, tenants: [...tenants] } });
  const send = (method: string, path: string, body?: object) =>
    fetch(`${emulator.url}${path}`, {
      method,
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const env = { INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: `${consistencySeconds}` };
  const run = (...args: string[]) => runCli(emulator, args, env, folder);
  return {
    emulator,
    folder,
    run,
    runProcess: (...args) => runCliProcess(emulator, args, env, folder),
    succeed: async (...args) => {
      const outcome = await run(...args);
      expectSuccess(outcome);
      return outcome;
    },
    running: async () => {
      const found = tenants.map(async ({ id }) => (await send("GET", `/_emulator/tenants/${id}`)).json());
      const all = (await Promise.all(found)).map((tenant) => recordSchema.parse(tenant));
      return all.filter(({ paused, archived }) => !paused && !archived).map(({ name }) => name);
    },
    change: async (id, fields) => {
      await send("PATCH", `/_emulator/tenants/${id}`, fields);
    },
    write: (name, text) => writeFile(join(folder, name), text),
    read: (name) => readFile(join(folder, name), "utf8"),
    files: async () => (await readdir(folder)).sort(),
    patches: () =>
      emulator
        .requests()
        .filter(({ method }) => method === "PATCH")
        .map(({ path, body }) => ({ id: Number(path.split("/").at(-1)), body })),
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Fails with what the commands say if the exit code of one is not 0. */
export function expectSuccess(...outcomes: readonly CliOutcome[]): void {
  expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);
}

/** Starts a command in the incident's folder, and kills it as soon as it is time. */
export async function runAndKillWhen(
  { emulator, folder }: Incident,
  args: readonly string[],
  isTime: () => boolean,
): Promise<void> {
  const env = {
    ...process.env,
    INTEGRATION_PLATFORM_BASE_URL: emulator.url,
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
  };
  const child = spawn(process.execPath, [commandLine, ...args], { env, cwd: folder, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  while (!isTime() && child.exitCode === null) await sleep(5);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
}
