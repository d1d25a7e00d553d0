// Records the calls of the real engine to the provider: `node test/model/record-traces.ts [text of a scenario's name]`.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { type CommandTrace, type ProcessTrace, processTraceSchema } from "./call.ts";
import { fixturePath } from "./fixtures.ts";
import type { Command } from "./program.ts";
import { type Scenario, type ScenarioStep, scenarios } from "./scenarios.ts";
import { tracedProgram, traceProvider } from "./traced-project.ts";

const [only = ""] = process.argv.slice(2);
for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
  const commands = await record(scenario);
  await writeFile(fixturePath(scenario), `${JSON.stringify(commands, undefined, 1)}\n`);
  console.log(`${scenario.name}: ${commands.map(({ succeeds }) => (succeeds ? "success" : "failure")).join(", ")}`);
}

async function record({ steps }: Scenario): Promise<CommandTrace[]> {
  await using platform = await openPlatform({ variants: { unconnectedSync: "accept" } });
  await using project = await createProject({ program: tracedProgram, stackYaml: "config: {}\n", env: platform.env });
  await traceProvider(project);
  const traces: CommandTrace[] = [];
  for (const step of steps) {
    await prepare(platform, step);
    await project.put("declared.json", JSON.stringify(step.program));
    const folder = join(project.directory, "traces");
    const before = await mkdir(folder, { recursive: true }).then(() => readdir(folder));
    const { code, stdout } = await project.run(argumentsOf(step.command));
    platform.emulator.clearFaults();
    if (process.env.SHOW_OUTPUT) console.log(stdout);
    const files = (await readdir(folder)).filter((file) => !before.includes(file)).sort();
    const processes = await Promise.all(
      files.map(async (file) => parseTrace(await readFile(join(folder, file), "utf8"))),
    );
    traces.push({ step: argumentsOf(step.command).join(" "), succeeds: code === 0, processes });
  }
  return traces;
}

async function prepare(platform: LivePlatform, { byHand, refused }: ScenarioStep): Promise<void> {
  if (byHand?.deed === "archive") await platform.archive(byHand.name);
  if (byHand?.deed === "pause") await platform.change(byHand.name, { paused: false });
  if (refused)
    platform.emulator.fault({ kind: "status", status: 422, match: refused, times: 100, body: { detail: [] } });
}

function argumentsOf({ kind, refresh = false, preview = false, replace = [], target = [] }: Command): string[] {
  const urnOf = (key: string) => {
    const [type, name] = key.split(" ");
    return `urn:pulumi:test::throw-away::pulumi-nodejs:dynamic/integration-platform:${type}::${name}`;
  };
  return [
    kind,
    ...(kind === "preview" ? [] : ["--yes"]),
    ...(kind === "preview" || preview ? [] : ["--skip-preview"]),
    ...(kind === "refresh" || kind === "destroy" ? [] : [`--refresh=${refresh}`]),
    ...replace.map((key) => `--replace=${urnOf(key)}`),
    ...target.map((key) => `--target=${urnOf(key)}`),
  ];
}

function parseTrace(text: string): ProcessTrace {
  return processTraceSchema.parse(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
}
