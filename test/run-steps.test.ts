import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../engine/run-command.ts";

const repository = join(import.meta.dirname, "..");

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "run-steps-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs steps that are Node.js with this code. */
function run(...codes: readonly string[]) {
  const node = JSON.stringify(process.execPath);
  const steps = codes.map(
    (code, at) =>
      `{ name: "step ${at + 1}", takes: "a second", command: ${node}, args: ["-e", ${JSON.stringify(code)}] }`,
  );
  const from = JSON.stringify(join(import.meta.dirname, "run-steps.ts"));
  const source = `import { runSteps } from ${from}; process.exitCode = await runSteps([${steps.join()}]);`;
  return runCommand(process.execPath, ["--input-type=module", "--eval", source], { timeLimitSeconds: 60 });
}

test("the steps of npm test run one after the other, each with its name and time", async () => {
  const { code, stdout } = await run("console.log('ran one')", "console.log('ran two')");
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\d+ s\b/g, "1 s")).toBe(
    "\n1 of 2: step 1, a second ...\nran one\n1 of 2: step 1: passed in 1 s.\n" +
      "\n2 of 2: step 2, a second ...\nran two\n2 of 2: step 2: passed in 1 s.\n",
  );
});

test("after a step that fails, those that were not run are named, and its exit code is kept", async () => {
  const { code, stdout } = await run("", "process.exitCode = 3", "console.log('ran three')");
  expect(code).toBe(3);
  expect(stdout).toMatch(/2 of 3: step 2: failed after \d+ s\. Not run, because this failed: step 3\.\n$/);
  expect(stdout).not.toContain("ran three");
});

test("a run of many files says what it runs, what it skipped, and what it did not run and why", async () => {
  const folder = await newFolder();
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  const project = (name: string) => `{ test: { name: "${name}", include: ["${name}-*.test.ts"] } }`;
  await writeFile(
    join(folder, "vitest.config.mts"),
    `import { TierTimes } from ${JSON.stringify(join(import.meta.dirname, "tier-times.ts"))};
     export default { test: { maxWorkers: 1, reporters: [new TierTimes()], projects: [${["unit", "aws", "mine"].map(project).join()}] } };`,
  );
  const passing = `import { test } from "vitest"; test("passes", () => {});`;
  for (let at = 0; at < 20; at += 1) await writeFile(join(folder, `unit-${at}.test.ts`), passing);
  await writeFile(
    join(folder, "unit-skip.test.ts"),
    `import { test } from "vitest"; test.skip("is skipped", () => {});`,
  );
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const { stdout, stderr } = await runCommand(process.execPath, [vitest, "run", "--project", "unit"], {
    cwd: folder,
    env: { ...process.env, npm_lifecycle_event: undefined, VITEST: undefined },
    timeLimitSeconds: 60,
  });
  expect(stderr).toBe("");
  const text = stripVTControlCharacters(stdout);
  expect(text).toMatch(/^21 files by tier: unit 21$/m);
  expect(text).toMatch(/^Time of the files by tier: unit \d+ s \(21 files\)$/m);
  expect(text).toContain("Skipped: unit-skip.test.ts: is skipped. Its file says why.");
  expect(text.trimEnd()).toMatch(
    /\nNot run; `npm run test:all` runs all:\n {2}aws: needs Python 3, a C\+\+ compiler, make and cmake\n {2}mine: not chosen$/,
  );
});
