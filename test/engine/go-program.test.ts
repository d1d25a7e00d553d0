import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { buildProgram, type GoProgram } from "../../engine/go-program.ts";
import { runCommand } from "../../engine/run-command.ts";
import { sayProgress } from "../../engine/say-progress.ts";

async function programOf(source: string): Promise<GoProgram> {
  const folder = await mkdtemp(join(tmpdir(), "go-program-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "go.mod"), "module example.com/program\n\ngo 1.25\n");
  await writeFile(join(folder, "main.go"), source);
  return { folder, module: "example.com/program", program: "." };
}

test("a build says how many of its packages are compiled", async () => {
  const output = `runs ${randomUUID()}`; // what an earlier run has compiled is not compiled again
  const program = await programOf(`package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("${output}") }\n`);
  const progress: string[] = [];
  const file = join(program.folder, "program");
  expect(await buildProgram(program, file, (done) => void progress.push(done))).toBeUndefined();
  expect((await runCommand(file, [], { timeLimitSeconds: 60 })).stdout).toBe(`${output}\n`);
  expect(progress.at(-1)).toMatch(/^[1-9]\d* of at most [1-9]\d+ packages compiled$/);
});

test("a build that fails says why, without the names of packages", async () => {
  const program = await programOf('package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(missing) }\n');
  const failure = await buildProgram(program, join(program.folder, "program"));
  expect(failure).toMatch(/^go build \. failed:\n# example\.com\/program\n.*main\.go:5:\d+: undefined: missing$/);
});

test("progress is one line that is rewritten on a terminal, and a line every half minute elsewhere", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const shown = (isTTY: boolean) => {
    let text = "";
    const progress = sayProgress("1 of 2: pulumi", { isTTY, write: (part) => (text += part) });
    vi.advanceTimersByTime(2000);
    progress.update("7 packages compiled");
    vi.advanceTimersByTime(59_000);
    progress[Symbol.dispose]();
    vi.advanceTimersByTime(60_000);
    return text;
  };
  const pulumi = "  1 of 2: pulumi";
  expect(shown(false)).toBe(
    `${pulumi}, 0 s\n${pulumi}, 7 packages compiled, 30 s\n${pulumi}, 7 packages compiled, 60 s\n${pulumi}, 7 packages compiled, 61 s\n`,
  );
  const lines = shown(true).split("\r\u001B[K").slice(1);
  expect(lines).toHaveLength(63);
  expect(lines.slice(1, 3)).toEqual([`${pulumi}, 1 s`, `${pulumi}, 2 s`]);
  expect(lines.at(-1)).toBe(`${pulumi}, 7 packages compiled, 61 s\n`);
});
