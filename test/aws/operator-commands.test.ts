import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { alarmTextsOf, exampleHandles } from "../receiver/infrastructure/example-handles.ts";
import { prepareAwsPython } from "./moto/start-moto.ts";

// The commands of the AWS CLI that operators get to read. AWS's own descriptions of its services say which exist.

let programs: string;
beforeAll(async () => {
  programs = await prepareAwsPython();
}, pythonSetUpSeconds * 1000);

test.each(["receiver.md", "receiver-runbook.md"])("AWS's CLI knows every command in docs/guides/%s", (file) => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/guides", file), "utf8").replaceAll("\\\n", " ");
  const commands = text.split("\n").flatMap((line) => /^aws .*/.exec(line) ?? []);
  expect(commands.length).toBeGreaterThan(0);
  expect(problemsOf(commands)).toBe("");
});

test("AWS's CLI knows every command in the texts of the alarms", () => {
  const commands = alarmTextsOf(exampleHandles).flatMap((text) => text.match(/^aws .*/gm) ?? []);
  expect(commands.length).toBeGreaterThanOrEqual(16);
  expect(problemsOf(commands)).toBe("");
});

test("a command with an option that AWS does not know is found", () => {
  expect(problemsOf(["aws sqs start-message-move-task --source-queue x"])).toContain("has no option --source-queue");
  expect(problemsOf(["aws sqs redrive --source-arn x"])).toContain("KeyError");
});

function problemsOf(commands: readonly string[]): string {
  const script = join(import.meta.dirname, "unknown-commands.py");
  return execFileSync(join(programs, "python"), [script], { input: commands.join("\n"), encoding: "utf8" });
}
