import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../engine/run-command.ts";

const repository = join(import.meta.dirname, "..");
let clone: string;

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), "clone-"));
  await mkdir(join(clone, "engine"));
  for (const name of ["bootstrap.mjs", "engine/lock.mjs", "engine/pass-through.mjs", "engine/compile-cache.cjs"]) {
    await cp(join(repository, name), join(clone, name));
  }
  await writePackage({});
});

afterEach(() => rm(clone, { recursive: true, force: true }));

describe("bootstrap.mjs", () => {
  test("hands on arguments as they are, the exit code, and a PATH that begins with the dependencies", async () => {
    await installDependencies();
    await writeFile(
      join(clone, "script.ts"),
      "const said: string[] = process.argv.slice(2); console.log(JSON.stringify([said, process.env.PATH])); process.exitCode = 7;",
    );

    const { code, stdout } = await bootstrap(["script.ts", "a b", 'c"d', "$HOME", "--yes", ""]);

    const [said, path] = JSON.parse(stdout);
    expect(said).toEqual(["a b", 'c"d', "$HOME", "--yes", ""]);
    expect(path).toMatch(new RegExp(`^${join(clone, "node_modules/.bin")}:`));
    expect(code).toBe(7);
  });

  test("keeps what Node.js compiles of a script, and not in the environment of the programs that it starts", async () => {
    await installDependencies();
    const print = "console.log(process.getBuiltinModule('node:module').getCompileCacheDir())";
    await writeFile(
      join(clone, "script.ts"),
      `${print}; process.getBuiltinModule("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(print)}], { stdio: "inherit" });`,
    );

    const [own, child] = (await bootstrap(["script.ts"])).stdout.split("\n");

    expect(own).toContain(join(clone, "node_modules/.cache/compiled-scripts"));
    expect(child).toBe("undefined");
  });

  test("runs the program of a dependency with --bin", async () => {
    await installDependencies();
    await writeFile(join(clone, "tool.js"), "#!/usr/bin/env node\nconsole.log('tool', process.argv.slice(2));", {
      mode: 0o755,
    });
    await symlink(join(clone, "tool.js"), join(clone, "node_modules/.bin/tool"));

    expect((await bootstrap(["--bin", "tool", "run"])).stdout).toContain("tool [ 'run' ]");
    expect((await bootstrap(["--bin", "absent"])).stderr).toContain("No dependency of this project brings a program");
  });

  test("passes on a signal and ends as the script does", async () => {
    await installDependencies();
    await writeFile(
      join(clone, "script.ts"),
      'process.on("SIGTERM", () => process.exit(43)); setInterval(() => {}, 1000); console.log("ready");',
    );
    const child = spawn(process.execPath, ["bootstrap.mjs", "script.ts"], {
      cwd: clone,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    await once(child.stdout, "data");

    child.kill("SIGTERM");

    expect(await ended).toEqual([43, null]);
  });

  test("takes what a developer's npm install left as installed, and stamps it", async () => {
    await installDependencies();
    await writeFile(join(clone, "script.ts"), "");

    expect((await bootstrap(["script.ts"])).stderr).toBe("");
    expect(await readFile(join(clone, "node_modules/.bootstrap-stamp"), "utf8")).toMatch(/^[0-9a-f]{64}$/);
  });

  test("shows what npm ci says where that fails, and does not run the script", async () => {
    await writePackage({ dependencies: { absent: "file:./absent" } });
    await writeFile(join(clone, "script.ts"), "console.log('ran');");

    const { code, stdout, stderr } = await bootstrap(["script.ts"]);

    expect(stderr).toContain("Installing the dependencies");
    expect(stderr).toContain("EUSAGE");
    expect(stderr).toContain("npm ci failed");
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });

  test("says what to do where install scripts are off and Node.js was not put in place", async () => {
    const { code, stderr } = await bootstrap(["script.ts"]);

    expect(stderr).toContain("npm rebuild node --ignore-scripts=false");
    expect(code).toBe(1);
  });
});

/** A lock file without dependencies; `changes` go to package.json only, so that the two disagree. */
async function writePackage(changes: object): Promise<void> {
  const manifest = { name: "clone", version: "1.0.0" };
  await writeFile(join(clone, "package.json"), JSON.stringify({ ...manifest, ...changes }));
  await writeFile(
    join(clone, "package-lock.json"),
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages: { "": manifest } }),
  );
}

async function installDependencies(): Promise<void> {
  await mkdir(join(clone, "node_modules/.bin"), { recursive: true });
  await symlink(process.execPath, join(clone, "node_modules/.bin/node"));
  await writeFile(join(clone, "node_modules/.package-lock.json"), JSON.stringify({ packages: {} }));
}

function bootstrap(args: readonly string[]) {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return runCommand(process.execPath, ["bootstrap.mjs", ...args], { cwd: clone, env, timeLimitSeconds: 60 });
}
