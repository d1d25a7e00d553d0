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

/** The sandbox stack of this project with an emulator, a receiver of its webhooks and a state, all gone at the end. */
export interface Sandbox extends AsyncDisposable {
  emulator: Emulator;
  /** Runs the real Pulumi CLI on the stack. Throws with all it printed where it does not succeed. */
  pulumi(...args: string[]): Promise<string>;
  /** Calls the platform as a person with a key would, apart from the code that is shown. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** The events that the receiver was told of since this was asked last, a line each. */
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

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${emulator.url}${path}`, {
      method,
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  const isSent = { send_webhook: true };
  const notifications = { tenant_created: isSent, tenant_archived: isSent };
  await call("PATCH", "/_emulator/settings", { webhook_url: receiver.url, notifications });

  const events = async () => {
    await emulator.settled();
    await receiver.settled();
    const told = lines;
    lines = [];
    return told;
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
