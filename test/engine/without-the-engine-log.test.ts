import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { applyEngineLogSetting } from "../../engine/engine-log.ts";
import { runCli } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const program = `
import { Tenant, TenantFleet } from "./src/index.ts";
import { Tenant as NativeTenant } from "./src/native/index.ts";

new Tenant("acme", { integration: "crm-to-billing" });
new TenantFleet("fleet", { integration: "crm-to-billing", tenants: { globex: {} } });
new NativeTenant("initech", { integration: "crm-to-billing" });
`;

/** The same commands, in their order, one after the other. */
const commands = [
  ["stack", "init", "second"],
  ["stack", "select", "test"],
  ["up", "--yes", "--skip-preview"],
  ["preview", "--refresh", "--diff", "--expect-no-changes"],
  ["stack", "list"],
  ["plugin", "ls"],
  ["config"],
  ["refresh", "--preview-only"],
];

describe("the engine without its log", () => {
  let withLog: Run;
  let withoutLog: Run;

  beforeAll(() =>
    endAfterTests(async (open) => {
      withLog = open.use(await runAll("on"));
      withoutLog = open.use(await runAll("off"));
    }),
  );

  test("prints the same, and nothing about the log", () => {
    expect(withoutLog.printed).toEqual(withLog.printed);
  });

  test("leaves the same in its home, except for the log", () => {
    expect(withLog.files.filter((file) => file.startsWith("logs/")).length).toBeGreaterThanOrEqual(commands.length);
    const others = withLog.files.filter((file) => !file.startsWith("logs/"));
    expect(withoutLog.files).toEqual(others);
    expect(others).toContain("logs");
  });

  test("works for commands that run at once, and for drift", async () => {
    const { project } = withoutLog;
    const listed = ["stack", "ls", "--json"];
    const outcomes = await Promise.all([
      ...Array.from({ length: 3 }, () => project.run(listed)),
      project.run(["preview", "--refresh", "--expect-no-changes"]),
      project.run(["preview", "--refresh", "--stack", "second"]),
      runCli(undefined, ["drift"], project.env, project.directory),
    ]);
    for (const { code, stderr } of outcomes) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await filesOf(project)).toEqual(withoutLog.files);
  });

  test("cannot list its logs, and says why", async () => {
    const { code, stderr } = await withoutLog.project.run(["logs", "list"]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/reading log directory .*logs: not a directory/);
  });

  test("keeps a log again, once it is on", async () => {
    const { project } = withoutLog;
    await applyEngineLogSetting({ ...project.env, INTEGRATION_PLATFORM_ENGINE_LOG: "on" }, project.directory);
    await project.mustRun(["stack", "list"]);
    expect((await project.mustRun(["logs", "list"])).stdout).toContain("stack list");
  });
});

interface Run extends AsyncDisposable {
  readonly project: Project;
  /** The lines that each command printed, without times and paths. */
  readonly printed: Record<string, string[]>;
  readonly files: string[];
}

async function runAll(log: "on" | "off"): Promise<Run> {
  const platform = await openPlatform();
  const project = await createProject({ program, stackYaml: "config: {}\n", env: platform.env });
  await applyEngineLogSetting({ ...project.env, INTEGRATION_PLATFORM_ENGINE_LOG: log }, project.directory);
  const printed: Record<string, string[]> = {};
  for (const args of commands) {
    const { stdout, stderr } = await project.mustRun(args);
    printed[args.join(" ")] = withoutTimes(`${stdout}\n${stderr}`, project);
  }
  const dispose = async () => {
    await project[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  };
  return { project, printed, files: await filesOf(project), [Symbol.asyncDispose]: dispose };
}

/** Resources are done in any order, so the order of the lines says nothing. */
function withoutTimes(text: string, { directory, env }: Project): string[] {
  const lines = text
    .replaceAll(env.PULUMI_HOME ?? "", "(home)")
    .replaceAll(directory, "(project)")
    .replaceAll(/\(?\b[\d.]+s\b\)?|\d+ (seconds?|minutes?) ago|now|file:\S+/g, "(time or place)")
    .replaceAll(/ +/g, " ")
    .split("\n");
  return [...new Set(lines.filter((line) => !line.startsWith("@ ")))].sort();
}

/** What is in the engine's home. The project's folder has a name of its own, and its digest is in a file's name. */
async function filesOf({ env }: Project): Promise<string[]> {
  const home = env.PULUMI_HOME ?? "";
  const names = await readdir(home, { recursive: true });
  const files = names.map((name) => name.replace(/-[0-9a-f]{40}-/, "-DIGEST-"));
  expect((await lstat(join(home, "workspaces"))).isDirectory()).toBe(true);
  return files.sort();
}
