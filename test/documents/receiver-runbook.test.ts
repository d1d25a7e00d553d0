import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";

const documents = join(import.meta.dirname, "../../docs");
const page = readFileSync(join(documents, "receiver-runbook.md"), "utf8");
const commands = [...page.matchAll(/^integration-platform .*/gm)].map(([line]) => line);

test("the command line knows every command and option in docs/receiver-runbook.md", { timeout: 60_000 }, async () => {
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    const [, ...words] = command.split(" ");
    const { stdout, code } = await runCli(undefined, [...words.slice(0, 2), "--help"]);
    expect({ command, code }).toEqual({ command, code: 0 });
    expect(stdout).toContain(`Usage: integration-platform ${words.slice(0, 2).join(" ")}`);
    for (const option of words.filter((word) => word.startsWith("--"))) expect(stdout).toContain(option);
  }
});

test("docs/receiver.md leads to the runbook", () => {
  expect(readFileSync(join(documents, "receiver.md"), "utf8")).toContain("(receiver-runbook.md)");
});
