import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { packPlugin } from "../../scripts/plugin/pack-plugin.ts";
import { packageVersion } from "../../src/package-version.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { runIn } from "./harness/packed-package.ts";

const program = `
import { Tenant } from "pulumi-integration-platform/native";
export const id = new Tenant("acme", { integration: 101, configs: { region: "eu" } }).tenantId;
`;

const projectYaml = `name: throw-away
main: program.ts
runtime: { name: nodejs, options: { typescript: false } }
`;

/** Without the clone's plugin, which is on PATH. */
const installedOnly = { PULUMI_IGNORE_AMBIENT_PLUGINS: "true" };

describe("the packed plugin", () => {
  let archive: string;
  let unpacked: string;

  beforeAll(() =>
    endAfterTests(async (open) => {
      const place = await mkdtemp(join(tmpdir(), "integration-platform-plugin-"));
      open.defer(() => rm(place, { recursive: true }));
      archive = await packPlugin(place);
      unpacked = join(place, "unpacked");
      await mkdir(unpacked);
      await runIn(unpacked, "tar", "-xzf", archive);
    }),
  );

  test("is named after its version, and contains what runs, the schema and the licenses", async () => {
    expect(archive).toMatch(new RegExp(`/pulumi-resource-integration-platform-v${packageVersion()}\\.tar\\.gz$`));
    expect((await readdir(unpacked)).sort()).toEqual([
      "LICENSE",
      "NOTICE",
      "aws-secrets-manager.mjs",
      "main.cjs",
      "plugin.mjs",
      "pulumi-resource-integration-platform",
      "pulumi-resource-integration-platform.cmd",
      "schema.json",
    ]);
    const notice = await readFile(join(unpacked, "NOTICE"), "utf8");
    for (const name of ["@grpc/grpc-js", "undici", "zod", "ajv"]) expect(notice).toContain(`\n${name} `);
    expect(notice).not.toContain("@pulumi/pulumi");
  });

  test("is installed by its archive, and hosts a program's resources", async () => {
    await using platform = await openPlatform();
    await using project = await createProject({ program, stackYaml: "", env: { ...platform.env, ...installedOnly } });
    await project.put("Pulumi.yaml", projectYaml);
    const install = ["plugin", "install", "resource", "integration-platform", packageVersion(), "--file", archive];
    await project.mustRun(install);
    await project.mustRun(["up", "--yes"]);
    expect(await platform.tenant("acme")).toMatchObject({ configs: { region: "eu" } });
    const types = (await project.exportState()).resources.map(({ type }) => type);
    expect(types).toContain("integration-platform:index:Tenant");
    expect(await project.preview()).toMatchObject({ changeSummary: { same: 2 }, diagnostics: [] });
  });

  test("is used from a folder that Pulumi.yaml names", async () => {
    await using platform = await openPlatform();
    await using project = await createProject({ program, stackYaml: "", env: { ...platform.env, ...installedOnly } });
    const plugins = `plugins: { providers: [{ name: integration-platform, path: ${unpacked} }] }\n`;
    await project.put("Pulumi.yaml", projectYaml + plugins);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenant("acme")).toMatchObject({ configs: { region: "eu" } });
  });

  test("says in a sentence that it needs Node.js", async () => {
    const { PATH: _, ...env } = process.env;
    const launcher = join(unpacked, "pulumi-resource-integration-platform");
    const outcome = await runCommand(launcher, ["127.0.0.1:1"], {
      env: { ...env, PATH: unpacked },
      timeLimitSeconds: 20,
    });
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr: "pulumi-resource-integration-platform needs Node.js, and there is no node on PATH.\n",
    });
  });

  test("is the process that the engine starts, also by a link, and answers a port", async () => {
    const link = join(unpacked, "../linked");
    await symlink("unpacked/pulumi-resource-integration-platform", link);
    await using plugin = startProcess(link, ["127.0.0.1:1"]);
    expect(Number(await plugin.firstLine)).toBeGreaterThan(0);
    const { stdout } = await runCommand("ps", ["-o", "args=", "-p", String(plugin.pid)], { timeLimitSeconds: 20 });
    expect(stdout).toMatch(/^node .*\/main\.cjs 127\.0\.0\.1:1$/m);
  });
});

function startProcess(command: string, args: readonly string[]) {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, PATH } });
  return {
    pid: child.pid,
    firstLine: once(createInterface({ input: child.stdout }), "line").then(([line]) => String(line)),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
