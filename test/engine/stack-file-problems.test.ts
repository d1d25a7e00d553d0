import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { developmentPassphrase } from "../../engine/backend-environment.ts";
import { runCommand } from "../../engine/run-command.ts";
import { stackFileOf } from "../../engine/stack-file.ts";
import { decryptionProblems } from "../../engine/stack-file-problems.ts";

// test/messages has the table of mistakes, with those that are found before the engine starts.

const root = join(import.meta.dirname, "../..");
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "integration-platform-stack-file-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function put(name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

/** The stack's file of this repository, whose secrets have the development passphrase. */
function sandbox(): Promise<string> {
  return readFile(join(root, "Pulumi.sandbox.yaml"), "utf8");
}

/** Runs `npm run pulumi -- <arguments>`, with a backend that has no stacks. */
function pulumi(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const backend = { PULUMI_BACKEND_URL: pathToFileURL(directory).href, PULUMI_HOME: join(directory, "home") };
  return runCommand(process.execPath, [join(root, "engine/pulumi.ts"), ...args, "--non-interactive"], {
    cwd: root,
    env: { ...process.env, PULUMI_CONFIG_PASSPHRASE: "wrong", ...backend, ...env },
    timeLimitSeconds: 120,
  });
}

describe("npm run pulumi", () => {
  test("shows where the YAML of the stack's file is wrong, and does not start the engine", async () => {
    const file = await put("Pulumi.broken.yaml", "config:\n\tintegration-platform:tenants: {}\n");
    const { code, stdout, stderr } = await pulumi(["up", "--yes", "--stack", "broken", "--config-file", file]);
    expect(stderr).toBe(
      "error: the stack's file has a problem; nothing has been changed:\n" +
        "  Pulumi.broken.yaml:2:1: invalid YAML: the line is indented with a tab: use spaces\n",
    );
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });

  test("says after the engine's error that the passphrase is another one, and does not show it", async () => {
    const file = await put("Pulumi.other.yaml", await sandbox());
    const { code, stderr } = await pulumi(["preview", "--stack", "other", "--config-file", file], {
      PULUMI_CONFIG_PASSPHRASE: "another-passphrase-4711",
    });
    expect(stderr).toMatch(
      /Pulumi\.other\.yaml:\d+:1: encryptionsalt: the passphrase is not the one .*PULUMI_CONFIG_PASSPHRASE/,
    );
    expect(stderr).not.toContain("another-passphrase-4711");
    expect(code).not.toBe(0);
  });

  test("starts the engine for a file without problems, and for commands that read none", async () => {
    const file = await put("Pulumi.whole.yaml", await sandbox());
    const env = { PULUMI_CONFIG_PASSPHRASE: developmentPassphrase };
    const { stderr } = await pulumi(["preview", "--stack", "whole", "--config-file", file], env);
    expect(stderr).toMatch(/^error: no stack named 'whole' found\n$/m);
    expect(stderr).not.toContain("the stack's file has");
    expect((await pulumi(["version"])).code).toBe(0);
  });
});

describe("the secrets of a stack's file", () => {
  const env = { PULUMI_CONFIG_PASSPHRASE: developmentPassphrase };

  test("are without problems if the passphrase is right, also if it is in a file", async () => {
    const file = await put("Pulumi.right.yaml", await sandbox());
    expect(decryptionProblems(file, env)).toEqual([]);
    const passphrase = await put("passphrase.txt", `${developmentPassphrase}\n`);
    expect(decryptionProblems(file, { PULUMI_CONFIG_PASSPHRASE_FILE: passphrase })).toEqual([]);
  });

  test("are named if they are damaged, with the command that sets them again", async () => {
    const text = (await sandbox()).replace("VjJk/1V2MYThbVk9:imO+8", "VjJk/1V2MYThbVk9:imO+9");
    expect(decryptionProblems(await put("Pulumi.damaged.yaml", text), env)).toEqual([
      expect.stringMatching(
        /^Pulumi\.damaged\.yaml:\d+:3: apiKey: cannot be decrypted, .*`pulumi config set --secret 'integration-platform:apiKey'`$/,
      ),
    ]);
  });

  test("are not looked at without a passphrase, or if another service has encrypted them", async () => {
    const file = await put("Pulumi.sandbox.yaml", await sandbox());
    expect(decryptionProblems(file, {})).toEqual([]);
    const cloud = await put("Pulumi.cloud.yaml", (await sandbox()).replace(/^encryptionsalt:.*$/m, ""));
    expect(decryptionProblems(cloud, env)).toEqual([]);
    const unsalted = await put(
      "Pulumi.unsalted.yaml",
      (await sandbox()).replace(/^encryptionsalt:.*$/m, "encryptionsalt: v1:abc"),
    );
    expect(decryptionProblems(unsalted, env)).toEqual([]);
  });
});

describe("the stack's file of a command", () => {
  async function project(): Promise<{ cwd: string; projectDirectory: string }> {
    await put("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    for (const stack of ["dev", "live"]) await put(`Pulumi.${stack}.yaml`, "config: {}\n");
    return { cwd: directory, projectDirectory: directory };
  }
  const fileOf = async (args: string[], env: NodeJS.ProcessEnv = {}) => {
    const path = stackFileOf(args, { PULUMI_HOME: join(directory, "home"), ...env }, await project());
    return path?.slice(directory.length + 1);
  };

  test.each([
    [["up", "--stack", "dev"], "Pulumi.dev.yaml"],
    [["-s=live", "preview"], "Pulumi.live.yaml"],
    [["refresh", "--stack", "organization/shop/dev"], "Pulumi.dev.yaml"],
    [["-slive", "up"], "Pulumi.live.yaml"],
    [["--color", "never", "up", "--stack", "dev"], "Pulumi.dev.yaml"],
    [["destroy", "--config-file", "Pulumi.live.yaml"], "Pulumi.live.yaml"],
    [["up", "--stack", "none"], undefined],
    [["up"], undefined],
    [["stack", "ls", "--stack", "dev"], undefined],
    [["config", "set", "--secret", "a", "b", "--stack", "dev"], undefined], // it repairs the file
    [["config", "set", "a", "up", "--stack", "dev"], undefined],
    [["config", "refresh", "--stack", "dev"], undefined],
    [["stack", "import", "--stack", "dev"], undefined],
    [["up", "--help", "--stack", "dev"], undefined],
    [["-C", "elsewhere", "up", "--stack", "dev"], undefined],
    [["-Celsewhere", "up", "--stack", "dev"], undefined],
  ])("%j: %s", async (args, expected) => {
    expect(await fileOf(args)).toBe(expected);
  });

  test("is that of PULUMI_STACK, otherwise of the selected stack of the backend", async () => {
    expect(await fileOf(["up"], { PULUMI_STACK: "live" })).toBe("Pulumi.live.yaml");
    const id = createHash("sha1").update(join(directory, "Pulumi.yaml")).digest("hex");
    await mkdir(join(directory, "home/workspaces"), { recursive: true });
    const stacks = { "file:///a": "organization/shop/dev", "file:///b": "organization/shop/live" };
    await put(`home/workspaces/shop-${id}-workspace.json`, JSON.stringify({ stacks }));
    expect(await fileOf(["up"], { PULUMI_BACKEND_URL: "file:///b" })).toBe("Pulumi.live.yaml");
    expect(await fileOf(["up"], { PULUMI_BACKEND_URL: "file:///c" })).toBe(undefined);
  });
});
