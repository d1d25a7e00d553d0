import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { withLock } from "../../../engine/lock.mjs";
import { runCommand } from "../../../engine/run-command.ts";
import { prepareAwsPython } from "../moto/start-moto.ts";

/** AWS's programs that run a Lambda function on Node.js 24. */
export interface LambdaRuntime {
  /** The Runtime Interface Emulator, which accepts invocations. */
  readonly emulator: string;
  readonly node: string;
  /** The Runtime Interface Client, which calls the handler. */
  readonly client: string;
}

/** How long `prepareRuntime` may take without a cache: it compiles the client. */
export const runtimeSetUpSeconds = 600;

/**
 * Installs the runtime into the user's cache folder, once per machine. Needs Python 3 with venv, a C++ compiler, make and
 * cmake.
 */
export async function prepareRuntime(): Promise<LambdaRuntime> {
  const programs = await prepareAwsPython();
  const [emulator] = globSync(`lib/python3*/site-packages/samcli/local/rapid/aws-lambda-rie-${machine}`, {
    cwd: dirname(programs),
  });
  if (emulator === undefined) throw new Error(`AWS provides no Runtime Interface Emulator for ${process.arch}`);
  const modules = join(await installed(), "node_modules");
  return {
    emulator: join(dirname(programs), emulator),
    node: join(modules, nodePackage, "bin/node"),
    client: join(modules, "aws-lambda-ric/index.mjs"),
  };
}

const machine = process.arch === "x64" ? "x86_64" : process.arch;
const nodePackage = `node-linux-${process.arch}`;
const source = join(import.meta.dirname, "package");
const files = ["package.json", "package-lock.json", ".npmrc"];

async function installed(): Promise<string> {
  const digest = createHash("sha256");
  for (const file of files) digest.update(readFileSync(join(source, file)));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const name = `${digest.digest("hex").slice(0, 16)}-${process.arch}`;
  const folder = join(cache, "pulumi-integration-platform/lambda-runtime", name);
  const wholeMark = join(folder, "is-whole");
  if (existsSync(wholeMark)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  return withLock(`${folder}.lock`, {
    work: async () => {
      if (!existsSync(wholeMark)) await install(folder);
      await writeFile(wholeMark, "");
      return folder;
    },
  });
}

async function install(folder: string): Promise<void> {
  console.log("Compiling AWS's runtime client for Node.js (two minutes or so, once) ...");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  for (const file of files) await copyFile(join(source, file), join(folder, file));
  // Drops the settings of the npm that runs the tests. The registry is in the user's own settings.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { code, stderr } = await runCommand("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    env: { ...env, npm_config_nodedir: join(folder, "node_modules", nodePackage) }, // contains Node's headers
    timeLimitSeconds: runtimeSetUpSeconds,
  });
  if (code === 0) return;
  throw new Error(`cannot install aws-lambda-ric, which needs a C++ compiler, make and cmake:\n${stderr.slice(-4000)}`);
}
