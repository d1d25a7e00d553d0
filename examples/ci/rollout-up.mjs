// Carries the rollouts of a stack on: `up` of the rollouts alone, which moves at most one wave of each. Usage:
//
//   node examples/ci/rollout-up.mjs STACK
//
// It writes rollouts.txt, rollouts.json and rollouts.html, and ends with the exit code of `integration-platform rollout
// status`: 0 done, 2 in progress, 3 waits for a person, 4 failed. With 1, something else has failed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";

const [stack] = process.argv.slice(2);

const before = await status();
let hasFailed = (await up(before.rollouts)) !== 0;
// The `up` that finds a failure moves nobody back. With `onFailure: rollback`, the next one does.
if (hasFailed) {
  const toTakeBack = (await status()).rollouts.filter(({ phase, direction, onFailure }) => {
    return phase === "failed" && direction === "forward" && onFailure === "rollback";
  });
  if (toTakeBack.length > 0) hasFailed = (await up(toTakeBack)) !== 0;
}
const { code } = await status("inherit");
process.exitCode = hasFailed && code !== 4 ? 1 : code;

/** Other resources are left alone, so that a tenant that cannot be applied holds no rollout up. */
async function up(rollouts) {
  if (rollouts.length === 0) return 0;
  // The engine does not find the exact URN of a rollout that no `up` has made yet, if it refreshes first.
  const targets = rollouts.flatMap(({ urn }) => ["--target", `**FleetRollout::${urn.split("::").at(-1)}`]);
  const options = ["--yes", "--skip-preview", "--color", "never", "--non-interactive", "--stack", stack];
  const { code } = await run(["pulumi", "--", "up", ...options, ...targets], "inherit");
  return code;
}

async function status(output = "pipe") {
  const files = ["--json", "rollouts.json", "--html", "rollouts.html"];
  const { code, stdout } = await run(
    ["integration-platform", "--", "rollout", "status", "--stack", stack, ...files],
    "pipe",
  );
  if (![0, 2, 3, 4].includes(code)) process.exit(1);
  await writeFile("rollouts.txt", stdout);
  if (output === "inherit") process.stdout.write(stdout);
  return { code, rollouts: JSON.parse(await readFile("rollouts.json", "utf8")).rollouts };
}

async function run(args, output) {
  const child = spawn("npm", ["run", "--silent", ...args], { stdio: ["ignore", output, "inherit"] });
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout };
}
