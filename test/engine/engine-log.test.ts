import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { CommandOutcome } from "../../engine/run-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { makePulumiMachine, type PulumiMachine } from "./harness/pulumi-machine.ts";

let machine: PulumiMachine;
let home: string;
let logs: string;

beforeEach(() =>
  endAfterTests(async (open) => {
    machine = open.use(await makePulumiMachine("exit 1"));
    home = machine.home;
    logs = join(home, "logs");
  }),
);

describe("INTEGRATION_PLATFORM_ENGINE_LOG=off", () => {
  test("makes the folder of the engine's log a link to nowhere, in a home that does not exist yet", async () => {
    expect(await runWith("off")).toMatchObject({ code: 0, stderr: "" });

    expect(await contents(home)).toEqual({ logs: "-> /dev/null" });
    expect((await lstat(home)).mode & 0o777).toBe(0o700);
  });

  test("is about .pulumi in the user's folder, if PULUMI_HOME is not set", async () => {
    await runWith("off", { PULUMI_HOME: "" });

    expect(await contents(join(machine.directory, ".pulumi"))).toEqual({ logs: "-> /dev/null" });
  });

  test("changes nothing else in the home, and nothing at all the second time", async () => {
    await fillHome();
    await mkdir(logs);
    const before = await contents(home);

    expect(await runWith("off")).toMatchObject({ code: 0, stderr: "" });
    const after = await contents(home);
    expect(after).toEqual({ ...before, logs: "-> /dev/null" });
    expect(await runWith("off")).toMatchObject({ code: 0, stderr: "" });
    expect(await contents(home)).toEqual(after);
  });

  test("touches no logs, and says how to move them away", async () => {
    await fillHome();
    await mkdir(logs);
    await writeFile(join(logs, "pulumi-20260601T000000-7-up.log"), "a log");
    const before = await contents(home);

    const { code, stdout, stderr } = await runWith("off");

    expect({ code, stdout }).toEqual({ code: 0, stdout: "v3.250.1\n" });
    expect(stderr).toMatch(/^INTEGRATION_PLATFORM_ENGINE_LOG=off has no effect: .*\n$/);
    expect(await contents(home)).toEqual(before);
    const [, command = ""] = /run: (mv .*)\n$/.exec(stderr) ?? [];
    expect(await machine.run("sh", ["-c", command])).toMatchObject({ code: 0, stderr: "" });
    expect(await runWith("off")).toMatchObject({ code: 0, stderr: "" });
    const moved = (await readdir(home)).filter((name) => name.startsWith("logs-until-"));
    expect(await contents(home)).toMatchObject({
      logs: "-> /dev/null",
      [`${moved[0]}/pulumi-20260601T000000-7-up.log`]: "a log",
    });
  });

  test("leaves a link to another folder, and a file, as they are", async () => {
    await mkdir(join(machine.directory, "elsewhere"));
    await mkdir(home);
    await symlink(join(machine.directory, "elsewhere"), logs);
    expect((await runWith("off")).stderr).toContain("To move them away, run: mv ");
    expect(await readlink(logs)).toBe(join(machine.directory, "elsewhere"));

    await rename(logs, join(machine.directory, "link"));
    await writeFile(logs, "the user's own way");
    expect(await runWith("off")).toMatchObject({ code: 0, stderr: "" });
    expect(await runWith("on")).toMatchObject({ code: 0, stderr: "" });
    expect(await contents(home)).toEqual({ logs: "the user's own way" });
  });

  test("is the same for many commands that start at once", async () => {
    await fillHome();
    await mkdir(logs);
    const before = await contents(home);

    const outcomes = await Promise.all(Array.from({ length: 8 }, () => runWith("off")));

    for (const outcome of outcomes) expect(outcome).toEqual({ code: 0, stdout: "v3.250.1\n", stderr: "" });
    expect(await contents(home)).toEqual({ ...before, logs: "-> /dev/null" });
  });

  test.each([
    ["there is no place for the link", { PULUMI_HOME: "/dev/null/home" }, "ENOTDIR: not a directory"],
    ["on Windows", { NODE_OPTIONS: `--import=${windows()}` }, "the engine's log cannot be turned off on Windows."],
  ])("says in one line that it has no effect, and goes on: %s", async (_, env, reason) => {
    const { code, stdout, stderr } = await runWith("off", env);

    expect({ code, stdout }).toEqual({ code: 0, stdout: "v3.250.1\n" });
    expect(stderr).toContain(`INTEGRATION_PLATFORM_ENGINE_LOG=off has no effect: ${reason}`);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(await readdir(machine.directory)).toEqual(["bin"]);
  });
});

describe("INTEGRATION_PLATFORM_ENGINE_LOG=on", () => {
  test("removes the link that off has made, and nothing else", async () => {
    await fillHome();
    const before = await contents(home);
    await runWith("off");

    expect(await runWith("on")).toMatchObject({ code: 0, stderr: "" });
    expect(await contents(home)).toEqual(before);
  });

  test("leaves logs and another link as they are", async () => {
    await mkdir(logs, { recursive: true });
    await writeFile(join(logs, "a.log"), "a log");
    await runWith("on");
    expect(await contents(home)).toEqual({ logs: "folder", "logs/a.log": "a log" });

    await rm(logs, { recursive: true });
    await symlink("/dev/zero", logs);
    await runWith("on");
    expect(await contents(home)).toEqual({ logs: "-> /dev/zero" });
  });
});

test.each([undefined, ""])("without INTEGRATION_PLATFORM_ENGINE_LOG, nothing is touched: %j", async (setting) => {
  await fillHome();
  await symlink("/dev/null", logs);
  const before = await contents(home);

  expect(await runWith(setting)).toMatchObject({ code: 0, stderr: "" });
  expect(await contents(home)).toEqual(before);
});

test("another value is an error, before anything is run", async () => {
  const refused = 'INTEGRATION_PLATFORM_ENGINE_LOG is "no"; it can be one of on, off.\n';

  expect(await runWith("no")).toEqual({ code: 1, stdout: "", stderr: refused });
  const drift = ["engine/integration-platform.ts", "drift"];
  expect(await machine.run(process.execPath, drift, { INTEGRATION_PLATFORM_ENGINE_LOG: "no" })).toMatchObject({
    code: 1,
    stderr: refused,
  });
  expect(await readdir(machine.directory)).toEqual(["bin"]);
});

test("commands of integration-platform that run the engine turn its log off too, and others touch nothing", async () => {
  const off = { INTEGRATION_PLATFORM_ENGINE_LOG: "off" };
  await machine.run(process.execPath, ["engine/integration-platform.ts", "drift", "--help"], off);
  expect(await readdir(machine.directory)).toEqual(["bin"]);

  await machine.run(process.execPath, ["engine/integration-platform.ts", "drift"], off);
  expect(await contents(home)).toEqual({ logs: "-> /dev/null" });
});

function runWith(setting: string | undefined, env: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> {
  const settings = setting === undefined ? {} : { INTEGRATION_PLATFORM_ENGINE_LOG: setting };
  return machine.pulumi(["version"], { ...settings, ...env });
}

/** What a user may have in the engine's home. */
async function fillHome(): Promise<void> {
  await mkdir(join(home, "plugins/resource-aws-v7.0.0"), { recursive: true });
  await writeFile(join(home, "plugins/resource-aws-v7.0.0/pulumi-resource-aws"), "a program");
  await writeFile(join(home, "credentials.json"), '{"current":"https://api.pulumi.com"}');
  await mkdir(join(home, "workspaces"));
  await writeFile(join(home, "workspaces/p-1-workspace.json"), '{"stack":"sandbox"}');
}

/** Each file, folder and link of a folder, by its path in it. */
async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const described = entries.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isSymbolicLink()) return [name, `-> ${await readlink(path)}`];
    return [name, entry.isDirectory() ? "folder" : await readFile(path, "utf8")];
  });
  return Object.fromEntries(await Promise.all(described));
}

function windows(): string {
  return "data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})";
}
