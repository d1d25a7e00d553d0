import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { developmentPassphrase } from "../engine/backend-environment.ts";
import { engineEnvironment } from "../engine/engine-environment.ts";
import { findEngine } from "../engine/find-engine.ts";
import { runCommand } from "../engine/run-command.ts";
import { createEmulator, type Emulator } from "../src/emulator/index.ts";
import { eventLine } from "../src/receiver/local/event-line.ts";
import { startLocalReceiver } from "../src/receiver/local/local-receiver.ts";
import { sendSuccessfully } from "../test/send-request.ts";

/** The sandbox stack of this project with its own emulator, webhook receiver and state, which disposing removes. */
export interface Sandbox extends AsyncDisposable {
  emulator: Emulator;
  /** Runs the real Pulumi CLI on the stack and returns its standard output. Throws an error with all its output if it fails. */
  pulumi(...args: string[]): Promise<string>;
  /** Calls the platform's API directly, without the code that the demo shows. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** The events that the receiver got since the last call, one line each. */
  events(): Promise<string[]>;
}

export async function openSandbox(): Promise<Sandbox> {
  const engine = await findEngine();
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-demo-"));
  const emulator = await createEmulator();
  let lines: string[] = [];
  const onEvent = (event: Parameters<typeof eventLine>[0]) => void lines.push(eventLine(event));
  const receiver = await startLocalReceiver({ onEvent, log: () => undefined });
  const env = engineEnvironment(engine, {
    ...process.env,
    PULUMI_BACKEND_URL: pathToFileURL(directory).href,
    PULUMI_CONFIG_PASSPHRASE: developmentPassphrase,
    PULUMI_CONFIG_PASSPHRASE_FILE: undefined,
    INTEGRATION_PLATFORM_BASE_URL: emulator.url,
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
    NO_COLOR: "1",
  });

  const pulumi = async (...args: string[]) => {
    const options = { env, cwd: dirname(import.meta.dirname), timeLimitSeconds: 120 };
    const all = [...args, "--stack", "sandbox", "--non-interactive"];
    const { code, stdout, stderr } = await runCommand(engine.command, all, options);
    if (code !== 0) throw new Error(`pulumi ${all.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  };

  const call = async (method: string, path: string, body?: object) =>
    (await sendSuccessfully(emulator, method, path, body)).body;

  const isSent = { send_webhook: true };
  const notifications = { tenant_created: isSent, tenant_archived: isSent };
  await call("PATCH", "/_emulator/settings", { webhook_url: receiver.url, notifications });

  const events = async () => {
    await emulator.settled();
    await receiver.settled();
    const newLines = lines;
    lines = [];
    return newLines;
  };

  return {
    emulator,
    pulumi,
    call,
    events,
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await receiver.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
