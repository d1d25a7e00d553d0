import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { diyBackendSettings, engineEnvironment } from "../../engine/engine-environment.ts";
import { findEngine } from "../../engine/find-engine.ts";
import { refreshEnvironment } from "../../engine/refresh-differences.ts";
import { createProject } from "../../test/engine/harness/create-project.ts";
import type { ProviderName } from "../../test/engine/harness/provider-under-test.ts";
import { type Backend, type BackendName, statesFolder } from "../backends/backend.ts";
import { endProcesses, isProvider } from "../processes.ts";
import {
  type Contender,
  type ContenderName,
  type Contestant,
  engineLogs,
  type Setting,
  type StoredState,
  timeLimitSeconds,
  workloadFile,
} from "./contender.ts";
import { turnOffEngineLog } from "./turn-off-engine-log.ts";

type PulumiName = Exclude<ContenderName, "terraform">;

/** The file in `bench/programs`, and the provider of this package's resources in it. */
const programs: Readonly<Record<PulumiName, { file: string; provider: ProviderName }>> = {
  tenants: { file: "tenants", provider: "dynamic" },
  fleet: { file: "fleet", provider: "dynamic" },
  native: { file: "tenants", provider: "native" },
  "native-fleet": { file: "fleet", provider: "native" },
  plain: { file: "plain", provider: "dynamic" },
};

/** A contender that runs a program of `bench/programs` on the real engine, with the backend settings of this project. */
export function pulumiContender(name: PulumiName, backends: readonly BackendName[] = ["file"]): Contender {
  return {
    name,
    roles: { engine: /^(\S*\/)?pulumi /, program: /cmd\/run/, provider: isProvider },
    backends,
    engineLogs,
    settings: pulumiSettings,
    open: (setting) => open(name, setting),
  };
}

const previewArguments = ["preview", "--refresh", "--expect-no-changes"];
/** The same for `up` and `destroy`. */
const refreshSetting = refreshEnvironment(previewArguments);
const repository = join(import.meta.dirname, "../..");
/** The variables to record: not those with paths of this machine, or with other values in each turn. */
const isRecorded = /^(PULUMI_(?!HOME|BACKEND_URL|CONFIG_PASSPHRASE)|NODE_OPTIONS$)/;

/** The settings of every command: those of this project's own commands, without those of the machine. */
async function pulumiSettings(): Promise<Record<string, string>> {
  const environment = engineEnvironment(await findEngine(), { ...diyBackendSettings({}), ...refreshSetting });
  const recorded = Object.entries(environment).filter(([name]) => isRecorded.test(name));
  return {
    up: "--non-interactive up --yes --skip-preview",
    preview: ["--non-interactive", ...previewArguments].join(" "),
    destroy: "--non-interactive destroy --yes --skip-preview",
    options: "no refresh but in previews; secrets by passphrase; a PULUMI_HOME of its own",
    "the engine's log": "kept, in PULUMI_HOME; with `log off` its folder is a link to /dev/null",
    NODE_COMPILE_CACHE: "set",
    ...Object.fromEntries(recorded.map(([name, value = ""]) => [name, value.replaceAll(repository, ".")])),
  };
}

async function open(name: PulumiName, { url, apiKey, env, backend, engineLog = "on" }: Setting): Promise<Contestant> {
  const { file, provider } = programs[name];
  const program = readFileSync(join(import.meta.dirname, `../programs/${file}.ts`), "utf8");
  const own = {
    ...env,
    ...backend.env,
    ...refreshSetting,
    INTEGRATION_PLATFORM_BASE_URL: url,
    INTEGRATION_PLATFORM_API_KEY: apiKey,
  };
  const project = await createProject({ provider, stackYaml: "config: {}\n", program, hasOwnSources: true, env: own });
  if (engineLog === "off") await turnOffEngineLog(project.env);
  const limit = { timeLimitSeconds };
  return {
    declare: (workload) => writeFile(join(project.directory, workloadFile), JSON.stringify(workload)),
    up: () => project.up([], limit),
    preview: async () => {
      const outcome = await project.run(previewArguments, limit);
      const hasFoundChanges = outcome.code !== 0 && /no changes were expected/.test(outcome.stdout + outcome.stderr);
      return { ...outcome, code: hasFoundChanges ? 0 : outcome.code, hasFoundChanges };
    },
    destroy: () => project.destroy([], limit),
    state: async () => storedState(backend, project.stack),
    [Symbol.asyncDispose]: async () => {
      await project[Symbol.asyncDispose]();
      endProcesses(env);
    },
  };
}

/** The size of the one file that the backend stores for a stack, without its copies. */
async function storedState(backend: Backend, stack: string): Promise<StoredState> {
  const files = await backend.files();
  const names = [`${stack}.json`, `${stack}.json.zst`];
  const [file, ...others] = files.filter(({ path }) => names.includes(basename(path)));
  if (file === undefined || others.length > 0) {
    throw new Error(
      `expected exactly one state of ${stack} in ${statesFolder}, found: ${files.map(({ path }) => path).join(", ") || "none"}`,
    );
  }
  const text = file.path.endsWith(".zst") ? zstdDecompressSync(file.content) : file.content;
  return { jsonBytes: JSON.stringify(JSON.parse(text.toString())).length, storedBytes: file.storedBytes };
}
