// `npm run bench:start`: measures the time from the start of a program's process to the first resource that it declares. It
// measures the program of the sandbox stack, and one without this package, which shows the share of Pulumi's SDK; both with
// and without the compile cache that earlier commands have filled.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { developmentPassphrase } from "../engine/backend-environment.ts";
import { table } from "../src/cli/output.ts";
import { createProject, type Project, type ProjectOptions } from "../test/engine/harness/create-project.ts";
import { withSpread } from "./figures.ts";
import { startServer } from "./server-process.ts";

const rounds = 7;
const watch = pathToFileURL(join(import.meta.dirname, "start-watch.ts")).href;
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
  "the sandbox stack": { stackYaml: sandboxYaml, hasOwnSources: true, env },
};

const rows: string[][] = [];
for (const [name, options] of Object.entries(programs)) {
  await using project = await createProject(options);
  const kept = await timesOf(project, {});
  const anew = await timesOf(project, { NODE_DISABLE_COMPILE_CACHE: "1" });
  rows.push([name, kept, anew]);
}
console.log(
  table([["first resource, ms after the program's start", "with compile cache", "without compile cache"], ...rows]),
);

/** The median of the rounds, with the least and the most. */
async function timesOf(project: Project, more: NodeJS.ProcessEnv): Promise<string> {
  const file = join(project.directory, "first-resource");
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const env = { ...more, NODE_OPTIONS: `${project.env.NODE_OPTIONS} --import ${watch}`, START_WATCH_FILE: file };
    await project.mustRun(["preview"], { env });
    if (round > 0) times.push(Number(await readFile(file, "utf8"))); // the first round is a warm-up
    await rm(file);
  }
  return withSpread(times, 0);
}
