// `npm run bench:start [-- <rounds>]`: measures the start of a program, from its process to the first resource that it declares,
// and of a dynamic provider, from its process to the answer to its first check. It measures the sandbox stack, and a
// program without this package, which shows the share of Pulumi's SDK: as `npm run pulumi` starts them, with the SDK as it is,
// and without the compile cache that earlier commands have filled. All take turns in each round.
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { developmentPassphrase } from "../engine/backend-environment.ts";
import { table } from "../src/cli/fit.ts";
import { createProject, type Project, type ProjectOptions } from "../test/engine/harness/create-project.ts";
import { withSpread } from "./figures.ts";
import { startServer } from "./server-process.ts";
import type { StartTimes } from "./start-watch.ts";

const rounds = Number(process.argv[2] ?? 7);
const watch = pathToFileURL(join(import.meta.dirname, "start-watch.ts")).href;
/** With the same flag as the SDK sets, a program and a provider share the compile cache. */
const setFlag = `--import="data:text/javascript,import{setFlagsFromString}from'node:v8';setFlagsFromString('--allow-natives-syntax')"`;
const bareProgram = `import * as pulumi from "@pulumi/pulumi";
const provider = "exports.handler = () => ({ check: async (olds, news) => ({ inputs: news, failures: [] }) })";
new pulumi.CustomResource("pulumi-nodejs:dynamic:Bare", "bare", { __provider: provider });
`;

await using emulator = await startServer("src/cli/main.ts", "emulator", "--port", "0", "--api-key", "bench-key");
const env = {
  PULUMI_CONFIG_PASSPHRASE: developmentPassphrase,
  INTEGRATION_PLATFORM_BASE_URL: emulator.url,
  INTEGRATION_PLATFORM_API_KEY: "bench-key",
};
const sandboxYaml = await readFile(join(import.meta.dirname, "../Pulumi.sandbox.yaml"), "utf8");
const programs: Record<string, ProjectOptions> = {
  "without this package": { stackYaml: "config: {}\n", program: bareProgram, hasOwnSources: true, env },
  "the sandbox stack": { stackYaml: sandboxYaml, env },
};

/** How a command is started: the environment in addition to the project's. */
const commands: Record<string, (project: Project) => NodeJS.ProcessEnv> = {
  "npm run pulumi": ({ env }) => ({ NODE_OPTIONS: env.NODE_OPTIONS }),
  "the SDK as it is": () => ({ NODE_OPTIONS: setFlag }),
  "npm run pulumi, no compile cache": ({ env }) => ({
    NODE_OPTIONS: env.NODE_OPTIONS,
    NODE_DISABLE_COMPILE_CACHE: "1",
  }),
};

const timesSchema = z.object({ wall: z.number(), cpu: z.number() });
const rows: string[][] = [];
for (const [name, options] of Object.entries(programs)) {
  await using project = await createProject(options);
  const measured = Object.keys(commands).map((command) => ({ command, program: noTimes(), provider: noTimes() }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { command, program, provider } of measured) {
      const times = await startOf(project, commands[command]?.(project) ?? {});
      if (round === 0) continue; // a warm-up
      program.push(times.program);
      provider.push(times.provider);
    }
  }
  for (const { command, program, provider } of measured)
    rows.push([`${name}, ${command}`, ...shown(program), ...shown(provider)]);
}
console.log(table([["ms", "program, CPU", "program, wall", "provider, CPU", "provider, wall"], ...rows]));

function noTimes(): StartTimes[] {
  return [];
}

async function startOf(project: Project, more: NodeJS.ProcessEnv) {
  const folder = join(project.directory, "start-times");
  await mkdir(folder);
  const NODE_OPTIONS = `${more.NODE_OPTIONS} --import ${watch}`;
  await project.mustRun(["preview"], { env: { ...more, NODE_OPTIONS, START_WATCH_FOLDER: folder } });
  const read = async (file: string) => timesSchema.parse(JSON.parse(await readFile(join(folder, file), "utf8")));
  const times = { program: await read("program"), provider: await read("provider") };
  await rm(folder, { recursive: true });
  return times;
}

/** The medians of the rounds, with the least and the most. */
function shown(times: readonly StartTimes[]): string[] {
  return [times.map(({ cpu }) => cpu), times.map(({ wall }) => wall)].map((values) => withSpread(values, 0));
}
