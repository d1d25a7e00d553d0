import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
