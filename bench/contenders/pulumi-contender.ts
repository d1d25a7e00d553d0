import { globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { createProject, type Project } from "../../test/engine/harness/create-project.ts";
import { endProcesses } from "../processes.ts";
import {
  type Contender,
  type ContenderName,
  type Contestant,
  type Setting,
  type StoredState,
  timeLimitSeconds,
  workloadFile,
} from "./contender.ts";

/** A contender that is a program in `bench/programs`, on the real engine with the backend settings of this project. */
export function pulumiContender(name: ContenderName & PulumiName): Contender {
  return {
    name,
    roles: { engine: /^(\S*\/)?pulumi /, program: /cmd\/run/, provider: /cmd\/dynamic-provider/ },
    open: (setting) => open(name, setting),
  };
}

type PulumiName = "tenants" | "fleet" | "plain";

async function open(name: PulumiName, { url, apiKey, env }: Setting): Promise<Contestant> {
  const program = readFileSync(join(import.meta.dirname, `../programs/${name}.ts`), "utf8");
  const own = { ...env, INTEGRATION_PLATFORM_BASE_URL: url, INTEGRATION_PLATFORM_API_KEY: apiKey };
  const project = await createProject({ stackYaml: "config: {}\n", program, env: own });
  const limit = { timeLimitSeconds };
  return {
    declare: (workload) => writeFile(join(project.directory, workloadFile), JSON.stringify(workload)),
    up: () => project.up([], limit),
    preview: async () => {
      const outcome = await project.run(["preview", "--refresh", "--expect-no-changes"], limit);
      const hasFoundChanges = outcome.code !== 0 && /no changes were expected/.test(outcome.stdout + outcome.stderr);
      return { ...outcome, code: hasFoundChanges ? 0 : outcome.code, hasFoundChanges };
    },
    destroy: () => project.destroy([], limit),
    state: async () => storedState(project),
    [Symbol.asyncDispose]: async () => {
      await project[Symbol.asyncDispose]();
      endProcesses(env);
    },
  };
}

/** Of the one file that the backend keeps of a stack. */
function storedState({ directory, stack }: Project): StoredState {
  const files = globSync(join(directory, `.pulumi-state/.pulumi/stacks/*/${stack}.json*`));
  const [file, ...others] = files.filter((path) => /\.json(\.zst)?$/.test(path));
  if (file === undefined || others.length > 0) throw new Error(`not one state but: ${files.join(", ") || "none"}`);
  const stored = readFileSync(file);
  const text = file.endsWith(".zst") ? zstdDecompressSync(stored) : stored;
  return { jsonBytes: JSON.stringify(JSON.parse(text.toString())).length, storedBytes: stored.length };
}
