import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";

const documents = join(import.meta.dirname, "../../docs/guides");
const page = readFileSync(join(documents, "receiver-runbook.md"), "utf8");
const commands = [...page.matchAll(/^integration-platform .*/gm)].map(([line]) => line);

test("the command line knows every command and option in docs/guides/receiver-runbook.md", {
  timeout: 60_000,
}, async () => {
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    const [, ...words] = command.split(" ");
    const { stdout, code } = await runCli(undefined, [...words.slice(0, 2), "--help"]);
    expect({ command, code }).toEqual({ command, code: 0 });
    expect(stdout).toContain(`Usage: integration-platform ${words.slice(0, 2).join(" ")}`);
    for (const option of words.filter((word) => word.startsWith("--"))) expect(stdout).toContain(option);
  }
});

test("the runbook's commands have variables that it sets or that an alarm's text names, and no words in angle brackets", () => {
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block).join("");
  const set = [...blocks.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  const used = [...blocks.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name);
  expect([...new Set(used)].filter((name) => !set.includes(name)).sort()).toEqual([
    "ARCHIVE_ARN",
    "BUS_ARN",
    "FUNCTION_FAILURES_QUEUE_URL",
    "RULE_ARN",
    "SUBSCRIPTION_DEAD_LETTER_QUEUE_URL",
  ]);
  expect(blocks).not.toMatch(/<\w+>/); // a shell reads them as redirections
});

test("docs/guides/receiver.md leads to the runbook", () => {
  expect(readFileSync(join(documents, "receiver.md"), "utf8")).toContain("(receiver-runbook.md)");
});

describe("the table of failures and alarms", () => {
  const [, table = ""] = /^\| Failure \|.*\n\| ---.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const rows = table
    .trimEnd()
    .split("\n")
    .map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
  const quoted = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const alarms = rows.flatMap(([, , names]) => quoted(names));
  /** The name of an alarm of a subscription is that of the test's own subscription. */
  const inTest = (alarm: string) => alarm.replace("<subscription>-dropped", "page-dropped").replace(/<\w+>/, "handler");
  const sourceOf = (file = "") => readFileSync(join(import.meta.dirname, "../receiver", file), "utf8");

  test("has every alarm once", () => {
    const tested = [...sourceOf("each-alarm.test.ts").matchAll(/^ {2}"?([a-z-]+)"?: \[/gm)].map(([, name]) => name);
    const others = ["page-dead-letters"]; // the same alarm as handler-dead-letters
    expect(alarms.map(inTest).sort()).toEqual(tested.filter((name = "") => !others.includes(name)).sort());
  });

  test.each(rows)("%s: %s, %s", (_, metrics, names, _event, _act, files) => {
    expect(quoted(metrics).length).toBeGreaterThan(0);
    expect(quoted(files)).not.toEqual([]);
    for (const file of quoted(files)) {
      for (const alarm of quoted(names)) expect(sourceOf(file)).toMatch(new RegExp(`\\b${inTest(alarm)}\\b`));
    }
  });
});
