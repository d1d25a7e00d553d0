import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { developmentPassphrase } from "../../engine/backend-environment.ts";
import { runCommand } from "../../engine/run-command.ts";
import { fileOfNewStack, stackFileOf } from "../../engine/stack-file.ts";
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

/** A stack's file whose secrets have the development passphrase. */
const encrypted = `encryptionsalt: v1:RNimH82Rex0=:v1:8NCZyNwN7GHCkjrK:JjE0iBwX2F9KXIADjGRJAvvNH4B0jQ==
config:
  integration-platform:apiKey:
    secure: v1:VjJk/1V2MYThbVk9:imO+8GmBrO8fhDld3qjy/cRbzgLIHYQqLsGo
  integration-platform:tenants:
    acme:
      integration: crm-to-billing
      configs:
        api_token:
          secure: v1:MMi1nEcCC82FwuN+:EiqDmeKAJb29ff8gNJUltU2EBK5WpnDyEfD1P6NWb40=
`;

/** Runs `npm run pulumi -- <arguments>`, with a backend that has no stacks. */
function pulumi(args: readonly string[], env: NodeJS.ProcessEnv = {}, clone = root) {
  const backend = { PULUMI_BACKEND_URL: pathToFileURL(directory).href, PULUMI_HOME: join(directory, "home") };
  return runCommand(process.execPath, [join(clone, "engine/pulumi.ts"), ...args, "--non-interactive"], {
    cwd: clone,
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
    const file = await put("Pulumi.other.yaml", encrypted);
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
    const file = await put("Pulumi.whole.yaml", encrypted);
    const env = { PULUMI_CONFIG_PASSPHRASE: developmentPassphrase };
    const { stderr } = await pulumi(["preview", "--stack", "whole", "--config-file", file], env);
    expect(stderr).toMatch(/^error: no stack named 'whole' found\n$/m);
    expect(stderr).not.toContain("the stack's file has");
    expect((await pulumi(["version"])).code).toBe(0);
  });
});

describe("the first `stack select --create sandbox` with a backend and a passphrase of one's own", () => {
  /** A copy of this project, with the given Pulumi.sandbox.yaml. */
  async function clone(): Promise<string> {
    const folder = await mkdtemp(join(directory, "clone-"));
    for (const name of ["engine", "package.json", "program.mjs", "Pulumi.yaml", "Pulumi.sandbox.yaml"])
      await cp(join(root, name), join(folder, name), { recursive: true });
    for (const name of ["node_modules", "src"]) await symlink(join(root, name), join(folder, name));
    return folder;
  }
  async function environment(passphrase: string): Promise<NodeJS.ProcessEnv> {
    const backend = await mkdtemp(join(directory, "backend-"));
    return {
      INIT_CWD: undefined,
      PULUMI_BACKEND_URL: pathToFileURL(backend).href,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
    };
  }
  const create = ["stack", "select", "--create", "sandbox"];

  test("makes the stack, whose secrets then have this passphrase", async () => {
    const folder = await clone();
    const env = await environment("of-my-own-4711");
    const { code, stderr } = await pulumi(create, env, folder);
    expect([code, stderr]).toEqual([0, "Created stack 'sandbox'\n"]);
    // the rest of the file is as it was: the engine writes YAML as the given file has it
    const given = await readFile(join(root, "Pulumi.sandbox.yaml"), "utf8");
    const made = await readFile(join(folder, "Pulumi.sandbox.yaml"), "utf8");
    expect(made.replace(/^encryptionsalt: v1:.*\n/m, "")).toBe(given);
    const set = ["config", "set", "--secret", "integration-platform:apiKey", "mine"];
    expect(await pulumi([...set, "--stack", "sandbox"], env, folder)).toMatchObject({ code: 0 });
    const file = join(folder, "Pulumi.sandbox.yaml");
    expect(await readFile(file, "utf8")).toMatch(
      /apiKey:\n +secure: v1:[\s\S]*# merged under every tenant[\s\S]*^encryptionsalt: v1:/m,
    );
    expect(decryptionProblems(file, env)).toEqual([]);
  });

  test("says what to do if the file has a salt of another passphrase, and no secrets", async () => {
    const folder = await clone();
    expect((await pulumi(create, await environment("the-first-4711"), folder)).stderr).toBe(
      "Created stack 'sandbox'\n",
    );
    const other = await environment("the-second-4711");
    const { code, stderr } = await pulumi(create, other, folder);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(
      /Pulumi\.sandbox\.yaml:\d+:1: encryptionsalt: the passphrase is not the one .* or remove this line, because the file has no secrets$/m,
    );
    expect(stderr).not.toContain("4711");
    const file = join(folder, "Pulumi.sandbox.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace(/^encryptionsalt:.*\n/m, ""));
    expect(await pulumi(create, other, folder)).toMatchObject({ code: 0 });
  });
});

describe("the secrets of a stack's file", () => {
  const env = { PULUMI_CONFIG_PASSPHRASE: developmentPassphrase };

  test("are without problems if the passphrase is right, also if it is in a file", async () => {
    const file = await put("Pulumi.right.yaml", encrypted);
    expect(decryptionProblems(file, env)).toEqual([]);
    const passphrase = await put("passphrase.txt", `${developmentPassphrase}\n`);
    expect(decryptionProblems(file, { PULUMI_CONFIG_PASSPHRASE_FILE: passphrase })).toEqual([]);
  });

  test("are named if they are damaged, with the command that sets them again", async () => {
    const text = encrypted.replace("VjJk/1V2MYThbVk9:imO+8", "VjJk/1V2MYThbVk9:imO+9");
    expect(decryptionProblems(await put("Pulumi.damaged.yaml", text), env)).toEqual([
      expect.stringMatching(
        /^Pulumi\.damaged\.yaml:\d+:3: apiKey: cannot be decrypted, .*`pulumi config set --secret 'integration-platform:apiKey'`$/,
      ),
    ]);
  });

  test("are not looked at without a passphrase, or if another service has encrypted them", async () => {
    const file = await put("Pulumi.sandbox.yaml", encrypted);
    expect(decryptionProblems(file, {})).toEqual([]);
    const cloud = await put("Pulumi.cloud.yaml", encrypted.replace(/^encryptionsalt:.*$/m, ""));
    expect(decryptionProblems(cloud, env)).toEqual([]);
    const unsalted = await put(
      "Pulumi.unsalted.yaml",
      encrypted.replace(/^encryptionsalt:.*$/m, "encryptionsalt: v1:abc"),
    );
    expect(decryptionProblems(unsalted, env)).toEqual([]);
  });
});

test.each([
  [["stack", "init", "dev"], "Pulumi.dev.yaml"],
  [["stack", "init", "--stack", "live"], "Pulumi.live.yaml"],
  [["stack", "select", "--create", "organization/shop/dev"], "Pulumi.dev.yaml"],
  [["stack", "select", "live", "-c"], "Pulumi.live.yaml"],
  [["stack", "select", "dev"], undefined],
  [["stack", "init", "none"], undefined],
  [["stack", "init"], undefined], // the CLI asks for the name
  [["config", "init", "dev"], undefined],
])("the file of a new stack: %j: %s", async (args, expected) => {
  await put("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  for (const stack of ["dev", "live"]) await put(`Pulumi.${stack}.yaml`, "config: {}\n");
  expect(fileOfNewStack(args, directory)?.slice(directory.length + 1)).toBe(expected);
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
