// Every npm script starts here: `node bootstrap.mjs <script.ts> [args...]` or `node bootstrap.mjs --bin <name> [args...]`.
//
// It makes sure that node_modules is what package-lock.json says, and then runs the script (or the named program of a
// development dependency) on the Node.js that the project pins, whichever Node.js (>= 20) npm was started by.
// Plain JavaScript without dependencies, because at this point there are none.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./engine/lock.mjs";
import { forwardSignalsTo, passThrough } from "./engine/pass-through.mjs";

const root = dirname(fileURLToPath(import.meta.url));
const modules = join(root, "node_modules");
const programs = join(modules, ".bin");
const pinnedNode = join(programs, "node");
const compileCache = join(root, "engine/compile-cache.cjs");
const stampFile = join(modules, ".bootstrap-stamp");

await main(process.argv.slice(2));

async function main([first, ...rest]) {
  if (Number.parseInt(process.versions.node, 10) < 20)
    fail(`The scripts of this project need Node.js 20 or later; this is ${process.version}.`);
  const [target, args] = first === "--bin" ? [rest[0], rest.slice(1)] : [first, rest];
  if (target === undefined) fail("Usage: node bootstrap.mjs <script.ts> [args...] | --bin <name> [args...]");

  if (!isInstalled()) await install();
  const script = first === "--bin" ? [programOf(target)] : ["--require", compileCache, resolve(root, target)];
  const env = { ...process.env, PATH: [programs, process.env.PATH].filter(Boolean).join(delimiter) };
  process.exitCode = await passThrough(pinnedNode, [...script, ...args], { env });
}

async function install() {
  await withLock(join(root, ".bootstrap-lock"), {
    onWait: () => say("Another process is installing the dependencies; waiting for it."),
    work: async () => {
      if (isInstalled()) return;
      say("Installing the dependencies (once; half a minute to a minute)...");
      const startedAt = Date.now();
      await npmCi();
      if (!isExecutable(pinnedNode)) {
        fail(
          "npm ci did not put Node.js 24 in place: are install scripts off (ignore-scripts)? " +
            "`npm rebuild node --ignore-scripts=false` runs the one that is needed.",
        );
      }
      writeFileSync(stampFile, lockHash());
      say(`Dependencies installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
    },
  });
}

/** Runs `npm ci`; what it prints is shown only if it fails. */
async function npmCi() {
  const npm = process.env.npm_execpath ?? "";
  const [command, prefix] = basename(npm) === "npm-cli.js" ? [process.execPath, [npm]] : ["npm", []];
  // Install scripts of dependencies call npm themselves: a --prefix given to the outer npm would lead them astray.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_config_(local_|global_)?prefix$/i.test(name)),
  );
  const args = [
    "ci",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
  ];
  const child = spawn(command, [...prefix, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  // An npm left to itself would go on beside the next one.
  const stopForwarding = forwardSignalsTo(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const outcome = await new Promise((done) => {
    child.on("error", (error) => done(error.message));
    child.on("close", (code, signal) => done(code === 0 ? undefined : `exit ${code ?? signal}`));
  });
  stopForwarding();
  if (outcome !== undefined) fail(`${output.trimEnd()}\nnpm ci failed (${outcome}).`);
}

/** True if node_modules holds what package-lock.json asks for; the stamp makes the answer cheap. */
function isInstalled() {
  if (!isExecutable(pinnedNode)) return false;
  const hash = lockHash();
  if (readText(stampFile) === hash) return true;
  if (!installedMatchesLock()) return false;
  writeFileSync(stampFile, hash);
  return true;
}

/** Compares with npm's own record of what it installed last, so that a developer's `npm install` is not undone. */
function installedMatchesLock() {
  const record = readText(join(modules, ".package-lock.json"));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages);
  return wanted.every(
    ([where, entry]) =>
      where === "" || (where in installed ? installed[where].version === entry.version : entry.optional === true),
  );
}

/** Names the dependencies wanted and the platform they are wanted for. */
function lockHash() {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
}

function programOf(name) {
  const path = join(programs, name);
  if (!isExecutable(path)) fail(`No dependency of this project brings a program named ${name}.`);
  return realpathSync(path);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function say(message) {
  process.stderr.write(`${message}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
