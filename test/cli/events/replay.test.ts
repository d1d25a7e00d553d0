import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { confirm } from "../../../src/cli/confirm.ts";
import { UsageError } from "../../../src/cli/subcommand.ts";
import { payload } from "../../receiver/fixtures.ts";
import { startProcess } from "../../receiver/local/receiver-process.ts";
import { openLedger, temporaryFile } from "../../receiver/open-ledger.ts";
import { runCli } from "../run-cli.ts";
import { testShell } from "../test-shell.ts";
import { binary, databaseOf, failed, fileWith, late, queueOf } from "./stored-events.ts";

const everything = ["--since", "2026-03-04"] as const;
const events = (...args: readonly string[]) => runCli(undefined, ["events", ...args]);

describe("events replay on this machine", () => {
  test("queues events for the receiver in the order of their arrival, all with one replay id", async () => {
    const file = await fileWith([failed, "published"], [binary, "published"]);
    const { code, stdout, stderr } = await events(
      "replay",
      "--data",
      file,
      "--yes",
      "binary-2",
      "failed-1",
      "failed-1",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [, replayId = ""] = /replayId is ([0-9a-f-]{36})\. /.exec(stdout) ?? [];
    expect(queueOf(file)).toEqual([
      { version: 1, replay: { ingestId: "failed-1", replayId } },
      { version: 1, replay: { ingestId: "binary-2", replayId } },
    ]);
    expect(stdout).toContain(
      "2 events received from 2026-03-04T01:00:00.000Z to 2026-03-04T02:30:00.000Z: 1 run_failed, 1 not UTF-8\n",
    );
  });

  test("continues an interrupted replay under its replay id", async () => {
    const file = await fileWith([failed, "published"]);
    const replayId = "0b5cbb0e-6f3a-4c56-9b1e-0e2f4f0f3c11";
    const { code, stdout } = await events("replay", "--data", file, "--yes", "--replay-id", replayId, "failed-1");
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Their replayId is ${replayId}. If this is interrupted, run it again with --replay-id ${replayId}.\n`,
    );
    expect(queueOf(file)).toEqual([{ version: 1, replay: { ingestId: "failed-1", replayId } }]);
  });

  test("says how to go on over the same period, which a duration in --since and a missing --until do not", async () => {
    const file = await fileWith([failed, "published"], [late, "published"]);
    const { stdout } = await events("replay", "--data", file, "--yes", "--since", "500w", "--type", "run_failed");
    const [, since = "", until = "", replayId = ""] =
      /\. If this is interrupted, run it again with --since (\S+) --until (\S+) --replay-id (\S+)\.\n/.exec(stdout) ??
      [];
    expect(Date.parse(until) - Date.parse(since)).toBeLessThanOrEqual(500 * 7 * 86_400_000 + 60_000);
    expect(Math.abs(Date.now() - Date.parse(until))).toBeLessThan(60_000);

    const arrivedSince = { ...failed, ingestId: "failed-4", receivedAt: new Date(Date.parse(until) + 1).toISOString() };
    const ledger = openLedger(file);
    await ledger.putIfAbsent(arrivedSince);
    await ledger.updateStatus(arrivedSince, "published");
    const period = ["--since", since, "--until", until];
    const again = await events("replay", "--data", file, "--yes", ...period, "--replay-id", replayId);
    expect(again.stdout).toContain(`run it again with ${period.join(" ")} --replay-id ${replayId}.\n`);
    const ingestIds = queueOf(file).map((message) => Object(message).replay.ingestId);
    expect(ingestIds).toEqual(["failed-1", "failed-1", "late-3"]);
  });

  test.each([
    ["by filters", everything, "--since 2026-03-04T00:00:00.000Z --until 2026-03-05T00:00:00.000Z "],
    ["by ingest ids", ["failed-1"], ""],
  ])("says how to go on when an event that is selected %s cannot be published", async (_, which, period) => {
    const file = await fileWith([failed, "published"]);
    databaseOf(file).exec("CREATE TRIGGER full BEFORE INSERT ON queue BEGIN SELECT RAISE(FAIL, 'no space'); END");
    const until = which === everything ? ["--until", "2026-03-05"] : [];
    const { code, stdout, stderr } = await events("replay", "--data", file, "--yes", ...which, ...until);
    expect(code).toBe(1);
    const [, again = "?"] = /If this is interrupted, (.*)\.\n/.exec(stdout) ?? [];
    expect(again).toMatch(new RegExp(`^run it again with ${period}--replay-id [0-9a-f-]{36}$`));
    expect(stderr).toContain("published 0 of 1 events again, with the replayId");
    expect(stderr).toContain("no space. Events are published in the order in which they were received. ");
    expect(stderr).toMatch(new RegExp(`\\. To go on, ${again}\n$`));
  });

  test("refuses a replay id that no replay has printed", async () => {
    const file = await fileWith([failed, "published"]);
    const { code, stderr } = await events("replay", "--data", file, "--yes", "--replay-id", "mine", "failed-1");
    expect(code).toBe(64);
    expect(stderr).toContain("It must be the replayId that the interrupted replay has printed.");
    expect(queueOf(file)).toEqual([]);
  });

  test("selects events by filters, and leaves out late webhooks, whose events reconciliation has published", async () => {
    const file = await fileWith([failed, "published"], [binary, "published"], [late, "late"]);
    const { code, stdout } = await events("replay", "--data", file, "--yes", ...everything);
    expect(code).toBe(0);
    expect(stdout).toContain("1 late webhook");
    expect(queueOf(file)).toMatchObject([{ replay: { ingestId: "failed-1" } }, { replay: { ingestId: "binary-2" } }]);
  });

  describe("for events that are not on the bus yet", () => {
    const hint =
      "The receiver publishes them itself, or has them as dead letters: see the alarm dead-letters. If their messages are lost, give --unpublished.";

    test("leaves them out of those that filters select, and says how many", async () => {
      const file = await fileWith([failed, "received"], [binary, "published"], [late, "received"]);
      const { code, stdout } = await events("replay", "--data", file, "--yes", ...everything);
      expect(code).toBe(0);
      expect(stdout).toContain(`Skipped, because they are not on the bus yet (status received): 2. ${hint}\n`);
      expect(queueOf(file)).toMatchObject([{ replay: { ingestId: "binary-2" } }]);
      expect(queueOf(file)).toHaveLength(1);
    });

    test("publishes nothing if one is named", async () => {
      const file = await fileWith([failed, "received"], [binary, "published"]);
      const { code, stderr } = await events("replay", "--data", file, "--yes", "binary-2", "failed-1");
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `error: not on the bus yet (status received): failed-1; nothing was published. ${hint}\n`,
      });
      expect(queueOf(file)).toEqual([]);
    });

    test.each([
      ["named", ["failed-1"]],
      ["selected by filters", everything],
    ])("publishes them with --unpublished: %s", async (_, which) => {
      const file = await fileWith([failed, "received"], [late, "late"]);
      const { code, stdout } = await events("replay", "--data", file, "--yes", "--unpublished", ...which);
      expect(code).toBe(0);
      expect(stdout).not.toContain("not on the bus yet");
      expect(queueOf(file)).toMatchObject([{ replay: { ingestId: "failed-1" } }]);
      expect(queueOf(file)).toHaveLength(1);
    });
  });

  test("only shows with --dry-run what would be published", async () => {
    const file = await fileWith([failed, "published"], [late, "late"]);
    const { code, stdout } = await events("replay", "--data", file, "--dry-run", ...everything, "--type", "run_failed");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "1 event received at 2026-03-04T01:00:00.000Z: 1 run_failed\n",
    });
    expect(queueOf(file)).toEqual([]);
  });

  test("publishes nothing without a terminal and without --yes", async () => {
    const file = await fileWith([failed, "published"]);
    const { code, stderr } = await events("replay", "--data", file, "failed-1");
    expect({ code, stderr }).toEqual({
      code: 64,
      stderr: "error: cannot ask for confirmation without a terminal: use --yes, or try --dry-run first\n",
    });
    expect(queueOf(file)).toEqual([]);
  });

  test("publishes nothing if the ledger lacks one of the events", async () => {
    const file = await fileWith([failed, "published"]);
    const { code, stderr } = await events("replay", "--data", file, "--yes", "failed-1", "gone", "lost");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "error: the ledger has no event gone, lost; nothing was published\n",
    });
    expect(queueOf(file)).toEqual([]);
  });

  test("says that the filters select nothing", async () => {
    const file = await fileWith();
    const { code, stdout } = await events("replay", "--data", file, "--type", "run_failed");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "There are no events to publish again.\n" });
  });
});

test("a receiver that runs publishes a replay", async () => {
  const file = temporaryFile();
  const receiver = startProcess("--port", "0", "--data", file);
  const body = JSON.stringify(payload("run_failed"));
  await fetch(await receiver.url(), { method: "POST", body });
  const lines = () =>
    receiver
      .stdout()
      .split("\n")
      .filter((line) => line.includes(" run_failed "));
  await expect.poll(lines, { timeout: 10_000 }).toHaveLength(1);
  const [, ingestId = ""] = /\[(\S+)\]$/.exec(lines()[0] ?? "") ?? [];

  const { stdout } = await events("replay", "--data", file, "--yes", ingestId);
  const [, replayId = "?"] = /replayId is (\S+)\. /.exec(stdout) ?? [];
  await expect.poll(lines, { timeout: 10_000 }).toHaveLength(2);
  expect(lines()[1]).toContain(`[${ingestId}]`);
  expect(lines()[1]).toContain(replayId);
});

describe("the question on a terminal", () => {
  async function answer(text: string | null): Promise<{ isYes: boolean; shown: string }> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const terminal = { stdin: Object.assign(input, { isTTY: true }), stdout: Object.assign(output, { isTTY: true }) };
    const asked = confirm(terminal, "Go on?", {});
    if (text === null) input.end();
    else input.write(text);
    return { isYes: await asked, shown: String(output.read()) };
  }

  test.each([
    ["y\n", true],
    ["Yes\r\n", true],
    ["\n", false],
    ["n\n", false],
    ["yesterday\n", false],
    [null, false],
    ["\u0003", false], // Ctrl-C
    ["\u0004", false], // Ctrl-D
  ])("is answered by %j: %j", async (text, isYes) => {
    expect(await answer(text)).toEqual({ isYes, shown: expect.stringContaining("Go on? [y/N]") });
  });

  test("is a usage error without a terminal, unless --yes answers it", async () => {
    const { shell } = testShell();
    await expect(confirm(shell, "Go on?", {})).rejects.toThrow(UsageError);
    expect(await confirm(shell, "Go on?", { yes: true })).toBe(true);
  });
});
