import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";

const script = join(import.meta.dirname, "../../examples/ci/rollout-up.mjs");

/** How the job names a rollout, also one that no `up` has made yet. */
const target = (fleet: string) => `**FleetRollout::${fleet}`;
const urn = (fleet: string) => `urn:pulumi:staging::tenants::integration-platform:index:FleetRollout::${fleet}`;
const rollout = (phase: string, more: object = {}) => {
  return { urn: urn("billing"), phase, direction: "forward", onFailure: "pause", ...more };
};

// Here a program stands in for npm: it notes what it is asked for, and answers as the commands do.
describe("rollout-up.mjs", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "rollout-up-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Runs the script.
   *
   * @param statuses what `rollout status` says, one time after the other.
   * @param ups the exit codes of `pulumi up`.
   */
  async function carry(statuses: readonly { code: number; rollouts: object[] }[], ups: readonly number[] = []) {
    const npm = `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
fs.appendFileSync("calls", args.join(" ") + "\\n");
const next = (file) => {
  const [first, ...rest] = JSON.parse(fs.readFileSync(file, "utf8"));
  fs.writeFileSync(file, JSON.stringify(rest));
  return first;
};
if (args.includes("up")) process.exit(next("ups"));
const { code, rollouts } = next("statuses");
fs.writeFileSync(args[args.indexOf("--json") + 1], JSON.stringify({ rollouts }));
console.log("status " + code);
process.exit(code);
`;
    await Promise.all([
      writeFile(join(folder, "npm"), npm),
      writeFile(join(folder, "statuses"), JSON.stringify(statuses)),
      writeFile(join(folder, "ups"), JSON.stringify(ups)),
    ]);
    await chmod(join(folder, "npm"), 0o755);
    const env = { PATH: [folder, process.env.PATH].join(delimiter) };
    const outcome = await runCommand(process.execPath, [script, "staging"], { cwd: folder, env, timeLimitSeconds: 60 });
    const calls = (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
    return { ...outcome, ups: calls.filter((call) => call.includes(" up ")) };
  }

  test("runs no `up` without rollouts", async () => {
    const none = { code: 0, rollouts: [] };
    expect(await carry([none, none])).toMatchObject({ code: 0, stdout: "status 0\n", ups: [] });
  });

  test.each([0, 2, 3])("runs one `up` of all rollouts, and ends with the code of the status, %i", async (code) => {
    const rollouts = [rollout("progressing"), rollout("done", { urn: urn("with a space") })];
    const outcome = await carry(
      [
        { code: 2, rollouts },
        { code, rollouts },
      ],
      [0],
    );
    expect(outcome.code).toBe(code);
    expect(outcome.ups).toEqual([
      `run --silent pulumi -- up --yes --skip-preview --color never --non-interactive --stack staging --target ${target("billing")} --target ${target("with a space")}`,
    ]);
    expect(await readFile(join(folder, "rollouts.txt"), "utf8")).toBe(`status ${code}\n`);
  });

  test("after a failure, takes the tenants back by a second `up` of that rollout, if that is its rule", async () => {
    const other = { urn: urn("crm") };
    const failed = { code: 4, rollouts: [rollout("failed", { onFailure: "rollback" }), rollout("progressing", other)] };
    const outcome = await carry([{ code: 2, rollouts: [rollout("progressing")] }, failed, failed], [1, 0]);
    expect(outcome.code).toBe(4);
    expect(outcome.ups).toHaveLength(2);
    expect(outcome.ups[1]).toContain(`--target ${target("billing")}`);
    expect(outcome.ups[1]).not.toContain(target("crm"));
  });

  test.each([
    ["pause", "forward"],
    ["rollback", "back"],
  ])("after a failure with onFailure %s and direction %s, runs no second `up`", async (onFailure, direction) => {
    const failed = { code: 4, rollouts: [rollout("failed", { onFailure, direction })] };
    expect(await carry([failed, failed, failed], [1])).toMatchObject({ code: 4, ups: [expect.any(String)] });
  });

  test("ends with 1 if an `up` failed for another reason", async () => {
    const progressing = { code: 2, rollouts: [rollout("progressing")] };
    expect(await carry([progressing, progressing, progressing], [1])).toMatchObject({ code: 1 });
  });

  test("ends with 1, without an `up`, if the status cannot be found out", async () => {
    expect(await carry([{ code: 1, rollouts: [] }])).toMatchObject({ code: 1, ups: [] });
  });
});
