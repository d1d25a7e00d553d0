import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { openDatabase, sqliteLedger } from "../../src/receiver/local/sqlite-ledger.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { end, stack } from "./drift/fake-pulumi.ts";
import { failed } from "./events/stored-events.ts";
import { integrations, someTenants } from "./pause/incident-fixture.ts";
import { type CliOutcome, runCli, runCliProcess } from "./run-cli.ts";

let emulator: Emulator;
let folder: string;

beforeAll(() => endAfterTests(prepare));

async function prepare(open: AsyncDisposableStack): Promise<void> {
  emulator = await createEmulator({ clock: "manual", seed: { integrations, tenants: someTenants } });
  open.defer(() => emulator.close());
  folder = await mkdtemp(join(tmpdir(), "main-"));
  open.defer(() => rm(folder, { recursive: true }));
  const database = openDatabase(join(folder, "receiver.sqlite"));
  open.defer(() => database.close());
  await sqliteLedger(database).putIfAbsent(failed);
  const config = `  integration-platform:baseUrl: ${emulator.url}\n  integration-platform:tenants: {}\n`;
  await writeFile(join(folder, "Pulumi.test.yaml"), `config:\n${config}`);
  const events = [stack, end].map((event) => `${JSON.stringify(event)}\n`).join("");
  await writeFile(join(folder, "events"), events);
  const state = JSON.stringify({ deployment: {} });
  const script = `case "$1" in preview) cat "${folder}/events";; stack) echo '${state}';; *) echo '{}';; esac`;
  await writeFile(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

// The tests of `pause`, `emulator` and `receiver` start processes. Others run the commands in their own process only.
describe.concurrent("a command is the same as a process of its own", () => {
  test.each<[command: string, expected: Partial<CliOutcome>]>([
    ["status", { code: 0 }],
    ["logs acme", { code: 1, stderr: expect.stringContaining("it has not run yet") }],
    ["sync acme --no-wait --mode none", { code: 64 }],
    ["sync nobody", { code: 1 }],
    ["try --integration 101 --release latest --tenant nobody", { code: 1 }],
    ["export --integration all", { code: 0 }],
    ["check --integration 101 --release latest", { code: 0 }],
    ["resume", { code: 1 }],
    ["drift", { code: 0 }],
    ["rollout status", { code: 0 }],
    ["rollout history", { code: 0 }],
    ["validate", { code: 0 }],
    ["schema --stack test", { code: 0 }],
    ["events list --data receiver.sqlite --since 2026-03-04 --until 2026-03-05", { code: 0 }],
    ["events show failed-1 --data receiver.sqlite", { code: 0 }],
    ["events replay failed-1 --unpublished --dry-run --data receiver.sqlite", { code: 0 }],
    ["--version", { code: 0 }],
    ["status --help", { code: 0 }],
    ["nonsense", { code: 64 }],
  ])("%s", async (command, expected) => {
    await expectSame(command.split(" "), expected);
  });
});

async function expectSame(args: readonly string[], expected: Partial<CliOutcome>): Promise<void> {
  const env = { PATH: [folder, process.env.PATH].join(delimiter) };
  const asProcess = await runCliProcess(emulator, args, env, folder);
  expect(asProcess).toMatchObject(expected);
  expect(await runCli(emulator, args, env, folder)).toEqual(asProcess);
}
