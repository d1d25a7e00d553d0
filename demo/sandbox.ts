import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { developmentPassphrase } from "../engine/backend-environment.ts";
import { engineEnvironment } from "../engine/engine-environment.ts";
import { findEngine } from "../engine/find-engine.ts";
import { type CommandOutcome, runCommand } from "../engine/run-command.ts";
import { eventLine } from "../src/cli/receiver/render.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../src/emulator/index.ts";
import { startLocalReceiver } from "../src/receiver/local/local-receiver.ts";
import { makeProjectFolder } from "../test/engine/harness/project-folder.ts";
import { sendSuccessfully } from "../test/send-request.ts";

/** A stack of this project with its own emulator, webhook receiver and state, which disposing removes. */
export interface Sandbox extends AsyncDisposable {
  emulator: Emulator;
  /** Runs the real Pulumi CLI on the stack and returns its standard output. Throws an error with all its output if it fails. */
  pulumi(...args: string[]): Promise<string>;
  /** As {@link pulumi}, for a command that may fail. */
  tryPulumi(...args: string[]): Promise<CommandOutcome>;
  /** Runs the command `integration-platform` on the stack. */
  command(...args: string[]): Promise<CommandOutcome>;
  /** The path of the stack's file. */
  stackFile: string;
  /** Calls the platform's API directly, without the code that the demo shows. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** The events that the receiver got since the last call, one line each. */
  events(): Promise<string[]>;
}

export interface SandboxOptions {
  /** The stack's name. */
  stack: string;
  /** The text of the stack's file. Its `baseUrl` is replaced by the emulator's. */
  stackYaml: string;
  /** The options of the emulator. */
  platform?: EmulatorOptions;
}

export async function openSandbox({ stack, stackYaml, platform }: SandboxOptions): Promise<Sandbox> {
  const engine = await findEngine();
  const repository = dirname(import.meta.dirname);
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-demo-"));
  // nothing in this clone is to change: the project is a copy of it
  const { root: project } = await makeProjectFolder({ provider: "dynamic" });
  const emulator = await createEmulator(platform);
  let lines: string[] = [];
  const onEvent = (event: Parameters<typeof eventLine>[0]) => void lines.push(eventLine(event));
  const receiver = await startLocalReceiver({ onEvent, log: () => undefined });
  const env = engineEnvironment(engine, {
    ...process.env,
    PULUMI_BACKEND_URL: pathToFileURL(directory).href,
    PULUMI_CONFIG_PASSPHRASE: developmentPassphrase,
    PULUMI_CONFIG_PASSPHRASE_FILE: undefined,
    INTEGRATION_PLATFORM_BASE_URL: undefined, // the stack's file has it, and a warning would say that this wins
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
    NO_COLOR: "1",
    FORCE_COLOR: undefined, // Node.js warns if both are set
  });

  const options = { env, cwd: project, timeLimitSeconds: 120 };
  const stackFile = join(project, `Pulumi.${stack}.yaml`);
  // a file without secrets may have the salt of a passphrase that `stack select --create` was run with
  const ownYaml = stackYaml.includes("secure:") ? stackYaml : stackYaml.replace(/^encryptionsalt:.*\n?/m, "");
  await writeFile(stackFile, ownYaml.replace(/(?<=^ *integration-platform:baseUrl: ).*$/m, emulator.url));

  const tryPulumi = (...args: string[]) =>
    runCommand(engine.command, [...args, "--stack", stack, "--non-interactive"], options);
  const pulumi = async (...args: string[]) => {
    const { code, stdout, stderr } = await tryPulumi(...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  };
  const command = (...args: string[]) =>
    runCommand(process.execPath, [join(repository, "src/cli/main.ts"), ...args, "--stack", stack], options);

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
    tryPulumi,
    command,
    stackFile,
    call,
    events,
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await receiver.close();
      await rm(directory, { recursive: true, force: true });
      await rm(project, { recursive: true, force: true });
    },
  };
}
