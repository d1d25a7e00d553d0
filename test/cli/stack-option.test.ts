import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { sendSuccessfully } from "../send-request.ts";
import { runCli } from "./run-cli.ts";

const exportAll = ["export", "--integration", "all", "--json"];
const commands = [
  exportAll,
  ["check", "--integration", "crm-to-billing", "--release", "v1.0.0"],
  ["status"],
  ["sync", "--integration", "all"],
];

// Here a script stands in for `pulumi`. test/engine/stack-option.test.ts reads a real stack.
describe("--stack of a command that reads the platform", () => {
  let folder: string;
  let emulator: Emulator;
  const unreachable = "https://other-platform.invalid";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stack-option-"));
    emulator = await createEmulator();
    await sendSuccessfully(emulator, "POST", "/v2/tenants", { integration_id: 101, name: "acme" });
  });
  afterAll(async () => {
    await emulator.close();
    await rm(folder, { recursive: true });
  });

  /** Runs the command with a script named `pulumi` that prints this config. */
  async function run(args: readonly string[], config: Record<string, string>, env: NodeJS.ProcessEnv = {}) {
    const entries = Object.entries(config).map(([key, value]) => [`integration-platform:${key}`, { value }]);
    return runWith(args, `echo '${JSON.stringify(Object.fromEntries(entries))}'`, env);
  }

  async function runWith(args: readonly string[], script: string, env: NodeJS.ProcessEnv = {}) {
    await writeFile(
      join(folder, "pulumi"),
      `#!/bin/sh\necho "$@" > "${folder}/args"\npwd > "${folder}/cwd"\n${script}\n`,
    );
    await chmod(join(folder, "pulumi"), 0o755);
    return runCli(undefined, args, { PATH: [folder, process.env.PATH].join(delimiter), ...env });
  }

  const argsOfPulumi = () => readFile(join(folder, "args"), "utf8");

  test.each(commands.map((args) => [args[0], args] as const))(
    "takes the address and the key of %s from the stack's config",
    async (_, args) => {
      const config = { baseUrl: emulator.url, apiKey: emulator.apiKey };
      expect(await run([...args, "--stack", "dev"], config)).toMatchObject({ code: 0, stderr: "" });
      expect(await argsOfPulumi()).toBe("config --json --non-interactive --show-secrets --stack dev\n");
    },
  );

  test("takes both from the environment if they are there, and then decrypts no secrets", async () => {
    const env = { INTEGRATION_PLATFORM_API_KEY: emulator.apiKey, INTEGRATION_PLATFORM_BASE_URL: emulator.url };
    const { code, stderr } = await run([...exportAll, "--stack", "dev"], { baseUrl: unreachable, apiKey: "old" }, env);
    expect(code).toBe(0);
    expect(stderr).toContain(`INTEGRATION_PLATFORM_BASE_URL (${emulator.url}) wins over integration-platform:baseUrl`);
    expect(await argsOfPulumi()).toBe("config --json --non-interactive --stack dev\n");
  });

  test("reads which hosts may be called over plain http", async () => {
    const config = { baseUrl: "http://host.invalid", apiKey: "key" };
    const refused = await run([...exportAll, "--stack", "dev"], config);
    expect(refused.stderr).toMatch(/^error: .*plain http/);
    const allowed = await run([...exportAll, "--stack", "dev"], { ...config, allowInsecureHttp: '["host.invalid"]' });
    expect(allowed.stderr).toMatch(/^error: .*host\.invalid/);
    expect(allowed.stderr).not.toContain("plain http");
  });

  test("reads the selected stack of the folder of --cwd", async () => {
    const project = join(folder, "project");
    await mkdir(project);
    const config = { baseUrl: emulator.url, apiKey: emulator.apiKey };
    expect(await run([...exportAll, "--cwd", project], config)).toMatchObject({ code: 0, stderr: "" });
    expect(await argsOfPulumi()).toBe("config --json --non-interactive --show-secrets\n");
    expect(await readFile(join(folder, "cwd"), "utf8")).toMatch(/\/project\n$/);
  });

  test("is needed to read the config of a stack", async () => {
    const { code, stderr } = await run(exportAll, { baseUrl: emulator.url, apiKey: emulator.apiKey });
    expect(code).toBe(1);
    expect(stderr).toMatch(/no base URL.*or add --stack NAME to read it from the config of a stack\n$/);
  });

  test("shows the reason if the CLI cannot read the stack, and never what it printed", async () => {
    const failed = await runWith(
      [...exportAll, "--stack", "dev"],
      "echo secret-5f; echo 'no stack named dev' >&2; exit 6",
    );
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toBe('error: cannot read the config of stack "dev":\n  no stack named dev\n');
    const odd = await runWith([...exportAll, "--stack", "dev"], "echo secret-5f");
    expect(odd.stderr).toBe('error: `pulumi config` did not print the config of stack "dev" as JSON\n');
  });
});
