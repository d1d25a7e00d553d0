import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcesses, isProvider, markedProcesses, processMark } from "../../bench/processes.ts";
import { findEngine } from "../../engine/find-engine.ts";
import { type SeedTenant, type Variants, variantValues } from "../../src/emulator/index.ts";
import { changeVariants, defaultVariants } from "../../src/emulator/variants.ts";
import { createProject, type Project } from "../engine/harness/create-project.ts";
import type { ProviderName } from "../engine/harness/provider-under-test.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import type { CheckpointMode } from "./checkpoint-mode.ts";
import { filesWithSecrets } from "./checks/secrets.ts";
import { type CommandEnd, type RunningCommand, startCommand } from "./engine-command.ts";
import type { Declared } from "./model/declared.ts";
import { ownPrefix } from "./model/declared.ts";
import { namesTakenOut, settingsTakenOut } from "./model/taken-out.ts";
import { writeFiles } from "./model/write-files.ts";
import { type PlatformProcess, startPlatform } from "./platform-process.ts";
import type { Random } from "./random.ts";
import { type Difference, differences, type Removed } from "./reader.ts";
import { apiKeyName, drawSecrets, holdSecrets, passphraseName, webhookTokenName } from "./round-secrets.ts";
import { receiveWebhooks } from "./webhooks.ts";

/** A platform, a project, and the known facts about both. */
export interface Scene extends AsyncDisposable {
  readonly platform: PlatformProcess;
  readonly project: Project;
  readonly provider: ProviderName;
  readonly checkpoints: CheckpointMode;
  readonly variants: Variants;
  /** The round's secrets, by description. */
  readonly secrets: Map<string, string>;
  /** The tenants, ours and others', that others have archived. */
  readonly archivedByOthers: Set<number>;
  /** The tenants that others have paused. */
  readonly pausedByOthers: Set<number>;
  /** The number of webhooks that the receiver got. */
  webhooksReceived(): number;
  /** The output of the commands and the receiver. */
  printed(): string;
  /** For the commands from now on. */
  addEnv(env: NodeJS.ProcessEnv): void;
  write(declared: Declared): Promise<void>;
  /** Says in the stack's file that what exists is taken over: tenants that are not as declared, the build's release. */
  adopt(): Promise<void>;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): RunningCommand;
  run(args: readonly string[]): Promise<CommandEnd>;
  /**
   * A line for each provider that is still there some seconds after its engine has ended, however that ended. Pulumi's host of
   * dynamic providers loads the package at the first resource. Until then nothing ends this host if its engine is killed, so this
   * function kills it.
   *
   * @param printed the output of the engine's command
   */
  findProviders(printed: string): Promise<readonly string[]>;
  /** The findings of the independent reader. */
  read(): Promise<Difference[]>;
  /** Searches the files of the round for secrets. */
  findSecrets(): Promise<readonly string[]>;
  /** The number of searched files. */
  searchedFiles(): number;
  /** Writes the requests of a step to the round's folder, for whoever looks for the cause of a problem. */
  keepRequests(step: string): Promise<void>;
  /** The live tenants of others, by id. */
  others(): Promise<Set<number>>;
}

const othersCount = 700;

/** In the engine's output: a resource of the dynamic provider. */
const hasOurResource = /pulumi-nodejs:dynamic\//;

interface SceneOptions {
  /** Of the round. The scene has one of its own in it, by its name. */
  readonly folder: string;
  readonly name: "faultless" | "disturbed";
  readonly provider: ProviderName;
  readonly checkpoints: CheckpointMode;
  readonly random: Random;
}

export async function setScene({ folder: root, name, provider, checkpoints, random }: SceneOptions): Promise<Scene> {
  const folder = join(root, name);
  const variants = someVariants(random);
  const secrets = drawSecrets(random);
  const apiKey = secrets.get(apiKeyName) ?? "";
  await mkdir(folder, { recursive: true });
  const seed = join(folder, "seed.json");
  await writeFile(seed, JSON.stringify({ integrations: quickIntegrations(), tenants: tenantsOfOthers() }));
  const platform = await startPlatform({ apiKey, data: join(folder, "platform"), seed, variants });
  const webhooks = await receiveWebhooks(platform, folder, secrets.get(webhookTokenName) ?? "");
  const project = await createProject({
    provider,
    stackYaml: "config: {}\n",
    env: { PULUMI_CONFIG_PASSPHRASE: secrets.get(passphraseName), INTEGRATION_PLATFORM_CHECKPOINTS: checkpoints },
  });
  const held = await holdSecrets(project, secrets);
  const { command } = await findEngine();
  const requestsFolder = join(folder, "requests");
  // what the platforms keep, and the sources
  const notSearched = new Set([
    join(root, "faultless/platform"),
    join(folder, "platform"),
    requestsFolder,
    join(project.directory, "src"),
  ]);
  const mark = processMark();
  process.once("exit", () => endProcesses(mark));
  const commandsPrinted: string[] = [];
  let written: Declared | undefined;
  let removed: readonly Removed[] = [];
  let searchedFiles = 0;
  const archivedByOthers = new Set<number>();
  const takenOut = new Set<string>();
  let env: NodeJS.ProcessEnv = { INTEGRATION_PLATFORM_BASE_URL: platform.url, ...held.env };

  const start: Scene["start"] = (args, more = {}) => {
    const running = startCommand(command, args, { project, env: { ...env, ...more }, mark });
    running.ended.then(({ printed }) => commandsPrinted.push(`$ ${args.join(" ")}\n${printed}`));
    return running;
  };
  const fill = (declared: Declared, adopts: boolean) =>
    writeFiles(project, declared, { secrets: held.configs, apiKey: held.apiKey, adopts });
  const get = (path: string) => platform.call("GET", path);
  return {
    platform,
    project,
    variants,
    provider,
    checkpoints,
    secrets,
    archivedByOthers,
    pausedByOthers: new Set(),
    printed: () => [project.printed(), ...commandsPrinted, webhooks.printed()].join("\n"),
    webhooksReceived: webhooks.count,
    addEnv: (more) => {
      env = { ...env, ...more };
    },
    write: async (declared) => {
      if (written !== undefined) {
        for (const taken of namesTakenOut(written, declared)) takenOut.add(taken);
        removed = settingsTakenOut(variants, written, declared);
      }
      written = declared;
      await fill(declared, false);
    },
    adopt: async () => {
      if (written) await fill(written, true);
    },
    start,
    run: (args) => start(args).ended,
    read: () =>
      differences({
        directory: project.directory,
        stack: project.stack,
        get,
        plain: held.plain,
        prefix: ownPrefix,
        mayBeArchived: (tenant) => takenOut.has(tenant.name) || archivedByOthers.has(tenant.id),
        removed,
      }),
    findProviders: async (printed) => {
      const deadline = Date.now() + 10_000;
      for (;;) {
        const left = markedProcesses(mark).filter((running) => isProvider.test(running.command));
        if (left.length === 0) return [];
        if (Date.now() > deadline) {
          if (provider === "native" || hasOurResource.test(printed))
            return left.map((running) => `a provider outlives its engine: ${running.command}`);
          endProcesses(mark);
        }
        await sleep(200);
      }
    },
    findSecrets: async () => {
      const search = await filesWithSecrets(root, secrets, notSearched);
      searchedFiles += search.searchedFiles;
      return search.found;
    },
    searchedFiles: () => searchedFiles,
    keepRequests: async (step) => {
      await mkdir(requestsFolder, { recursive: true });
      await writeFile(join(requestsFolder, `${step}.json`), JSON.stringify(await platform.requests()));
    },
    others: async () =>
      new Set((await allLive(platform)).filter(({ name }) => !name.startsWith(ownPrefix)).map(({ id }) => id)),
    [Symbol.asyncDispose]: async () => {
      endProcesses(mark);
      await platform[Symbol.asyncDispose]();
      await webhooks[Symbol.asyncDispose]();
    },
  };
}

interface LiveTenant {
  id: number;
  name: string;
  /** Whether the list shows its schedule, or that it has none. */
  showsSchedule: boolean;
}

/** The live tenants of one integration or of all, read by plain requests. */
export async function allLive({ call }: PlatformProcess, integrationId?: number): Promise<LiveTenant[]> {
  const of = integrationId === undefined ? "" : `&integration_id=${integrationId}`;
  const found: LiveTenant[] = [];
  for (;;) {
    const page = [await call("GET", `/v2/tenants?limit=500&skip=${found.length}${of}`)].flat().map(Object);
    found.push(
      ...page.map((tenant) => ({
        id: Number(tenant.id),
        name: String(tenant.name),
        showsSchedule: "user_schedule" in tenant,
      })),
    );
    if (page.length === 0) return found; // a short page proves nothing
  }
}

/** Those of them that are the round's own. */
export async function ownLive(platform: PlatformProcess, integrationId?: number): Promise<LiveTenant[]> {
  return (await allLive(platform, integrationId)).filter(({ name }) => name.startsWith(ownPrefix));
}

/**
 * Values that are not drawn: they hide from the lifecycles what others change by hand, or whether a tenant is connected, so
 * that an up rightly leaves or refuses what the reader would call a difference.
 */
const notDrawn: Readonly<Record<string, readonly string[]>> = {
  absentField: [
    ...["archived", "user_schedule", "integration_release_id", "integration_release_channel", "release"],
    ...["status", "auth", "connected"],
  ],
  connectionWords: ["linked"],
  ...{ pausedUnconnected: ["refused", "ignored"], busy: ["409", "423"] },
  // the reader compares what is stored with what is declared
  ...{ scheduleForm: ["suffixed", "ranges", "shifted"], textForm: ["trimmed"], numbers: ["strings"] },
  ...{ listDefaults: ["added"], emptyValues: ["dropped"] },
};

function someVariants(random: Random): Variants {
  const drawn = Object.entries(variantValues).map(([name, all]) => {
    const values = all.filter((value) => !notDrawn[name]?.includes(value));
    // builds are slow (a minute) or never end now and then only
    return [name, name === "builds" && random.chance(0.6) ? "quick" : random.pick(values)];
  });
  const chosen = Object.fromEntries(drawn);
  return changeVariants(defaultVariants, { ...chosen, ...acceptedSyncs(chosen) });
}

/**
 * Where connections are not shown, syncs of paused tenants are requested too, and those of unconnected ones if not even
 * `status.auth.connected` is sent. Unless they are accepted, each up rightly tries again.
 */
function acceptedSyncs({ authConnectors, defaults }: Readonly<Record<string, unknown>>) {
  if (authConnectors !== "none") return {};
  return { pausedSync: "accept", ...(defaults === "absent" ? { unconnectedSync: "accept" } : {}) };
}

/** Enough tenants that lists have several pages. */
function tenantsOfOthers(): SeedTenant[] {
  return Array.from({ length: othersCount }, (_, index) => ({
    integration: "crm-to-billing",
    name: `other-${index}`,
    configs: { region: "us" },
  }));
}
