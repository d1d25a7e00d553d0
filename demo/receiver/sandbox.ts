import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { createManualClock } from "../../src/emulator/index.ts";
import { type Moto, startMoto } from "../../test/aws/moto/start-moto.ts";
import { startProvider } from "../../test/aws/start-provider.ts";
import { createProject, type Project } from "../../test/engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../../test/engine/harness/live-platform.ts";
import { createOnCallQueue } from "./on-call-queue.ts";

/** A stack with a receiver that is not up yet, AWS (moto) and the platform (our emulator), which disposing removes. */
export interface ReceiverSandbox extends AsyncDisposable {
  readonly platform: LivePlatform;
  readonly moto: Moto;
  readonly project: Project;
  /** Aborts what runs. The story then fails. */
  readonly signal: AbortSignal;
  /** The queue that gets the events which the stack's file subscribes to. */
  readonly onCallQueueUrl: string;
  /** The token of the receiver's URL. */
  readonly token: string;
  /** Runs the real Pulumi CLI on the stack and returns its standard output. Throws if it fails. */
  pulumi(...args: string[]): Promise<string>;
  /** Runs the command `integration-platform` in the stack's folder. */
  command(...args: string[]): Promise<CommandOutcome>;
}

const repository = dirname(dirname(import.meta.dirname));
export const stackName = "demo";

export async function openReceiverSandbox({
  signal = new AbortController().signal,
}: {
  readonly signal?: AbortSignal;
} = {}): Promise<ReceiverSandbox> {
  await using opened = new AsyncDisposableStack();
  const clock = createManualClock(new Date().toISOString());
  const platform = opened.use(await openPlatform({ seed: join(import.meta.dirname, "platform.yaml"), clock }));
  const moto = opened.use(await startMoto());
  const provider = opened.use(await startProvider(moto));
  const project = opened.use(
    await createProject({
      stack: stackName,
      stackYaml: await readFile(join(import.meta.dirname, "stack.yaml"), "utf8"),
      provider: "dynamic",
      hasOwnSources: true, // the program writes its bundles beside the sources
      env: { ...platform.env, ...moto.env, ...provider.env, NO_COLOR: "1" },
    }),
  );
  const onCallQueueUrl = await createOnCallQueue(moto);
  const disposables = opened.move();
  return {
    platform,
    moto,
    project,
    signal,
    onCallQueueUrl,
    token: randomBytes(32).toString("hex"), // as `openssl rand -hex 32`
    pulumi: async (...args) => (await project.mustRun([...args, "--stack", stackName], { signal })).stdout,
    command: (...args) =>
      runCommand(process.execPath, [join(repository, "src/cli/main.ts"), ...args], {
        cwd: project.directory,
        env: project.env,
        timeLimitSeconds: 120,
        signal,
      }),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
