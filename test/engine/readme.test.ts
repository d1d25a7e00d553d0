import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOfCast } from "../../scripts/record-demo/cast.ts";
import { comparableLines } from "../../scripts/record-demo/comparable-lines.ts";
import { driftRecording } from "../../scripts/record-demo/files.ts";
import { runIn } from "./harness/packed-package.ts";

const repository = join(import.meta.dirname, "../..");
const readme = await readFile(join(repository, "README.md"), "utf8");
const commands = [...readme.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = ""]) => block.trim().split("\n"));

const start = "npm run emulator -- --port 4010";
const install = commands.filter((command) => command.startsWith("npm install "));
/** Commands that are not run in the clone: this run is `npm test`, and the package is installed beside the clone. */
const elsewhere = [start, "npm test", ...install];

const stale = "docs/public/demo.cast is what the demo prints: run npm run record-demo after a change";
const recordedLines = async () => comparableLines(textOfCast(await readFile(driftRecording.castFile, "utf8")));

describe("the README's commands, in order, on a copy of the project", () => {
  let place: string;
  let clone: string;
  let emulator: ReturnType<typeof spawn>;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), "integration-platform-readme-"));
    clone = join(place, "pulumi-integration-platform");
    await mkdir(clone);
    const { stdout } = await promisify(execFile)("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository });
    for (const file of stdout.trim().split("\n")) await cp(join(repository, file), join(clone, file));
    await symlink(join(repository, "node_modules"), join(clone, "node_modules"));
    const { PULUMI_BACKEND_URL: _, PULUMI_CONFIG_PASSPHRASE: __, ...own } = process.env;
    env = { ...own, PULUMI_HOME: join(clone, ".pulumi-home") };

    emulator = spawn("sh", ["-c", `exec ${start.replace("4010", "0")}`], {
      cwd: clone,
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: emulator.stdout ?? process.stdin })) {
      const [, address] = /(http:\/\/\S+)/.exec(line) ?? [];
      if (address === undefined) continue;
      env.INTEGRATION_PLATFORM_BASE_URL = address; // the README's port may be in use
      break;
    }
  });

  afterAll(async () => {
    emulator.kill("SIGTERM");
    if (emulator.exitCode === null) await once(emulator, "exit");
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  });

  test("include the command that starts the emulator", () => {
    expect(commands).toContain(start);
  });

  const run = async (command: string, variables: NodeJS.ProcessEnv) => {
    const options = { cwd: clone, env: variables, maxBuffer: 2 ** 24 };
    return (await promisify(execFile)("sh", ["-c", command], options)).stdout;
  };

  test.each(commands.filter((command) => !elsewhere.includes(command)))("%s", async (command) => {
    if (command !== "npm run demo") return expect(await run(command, env)).not.toBe("");

    // it works as well if the file of the stack has the salt of a passphrase of one's own
    const stackFile = join(clone, "Pulumi.sandbox.yaml");
    const before = await readFile(stackFile, "utf8");
    await writeFile(stackFile, await readFile(join(repository, "Pulumi.sandbox.yaml"), "utf8"));
    const backend = pathToFileURL(await mkdtemp(join(place, "backend-"))).href;
    const own = { ...env, PULUMI_BACKEND_URL: backend, PULUMI_CONFIG_PASSPHRASE: "of-my-own" };
    await run("npm run pulumi -- stack select --create sandbox", own);
    expect(await readFile(stackFile, "utf8")).toMatch(/^encryptionsalt: /m);
    expect(comparableLines(await run(command, own)), stale).toEqual(await recordedLines());
    await writeFile(stackFile, before);
  });

  test("install the packed tarball in a project beside the clone", async () => {
    expect(install).toHaveLength(1);
    const project = join(place, "project");
    await mkdir(project);
    await writeFile(join(project, "package.json"), "{}");
    await runIn(project, "sh", "-c", `${install[0]} --prefer-offline --no-audit`);
    const program = 'Object.keys(require("pulumi-integration-platform"))';
    expect(await runIn(project, process.execPath, "--print", program)).toContain("'TenantFleet'");
  });
});
