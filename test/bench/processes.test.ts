import { expect, test } from "vitest";
import { endProcesses, processMark, watchProcesses } from "../../bench/processes.ts";
import { runCommand } from "../../engine/run-command.ts";

/** Each process needs about a second of processor time, which a busy machine may grant late. */
const timeLimitSeconds = 100;

const roles = { engine: /--engine/, program: /--program/, provider: /--provider/ };

test("tells CPU time and memory of marked processes, wherever they are in the tree, and of no others", {
  timeout: 120_000,
}, async () => {
  const mark = processMark();
  const env = { ...process.env, ...mark };
  const work = "const big = Buffer.alloc(150e6, 1); while (process.cpuUsage().user < 6e5); big[0]";
  const stop = watchProcesses(mark, roles);
  const launcher = `const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(work)}, "--", "--provider"], { detached: true });
    child.on("exit", () => process.exit())`;
  const script = ["-e", launcher, "--", "--program"];
  const other = runCommand(process.execPath, ["-e", work, "--", "--engine"], { timeLimitSeconds });
  const [{ code }] = await Promise.all([runCommand(process.execPath, script, { env, timeLimitSeconds }), other]);
  const { cpuSeconds, cpuSecondsByRole, peakMegabytes } = stop();

  expect(code).toBe(0);
  expect(cpuSeconds).toBeGreaterThan(0.5);
  expect(cpuSecondsByRole.provider).toBeGreaterThan(0.3);
  expect(cpuSecondsByRole.engine).toBe(0);
  expect(peakMegabytes.provider).toBeGreaterThan(150);
  expect(peakMegabytes.program).toBeGreaterThan(0);
  expect(peakMegabytes.engine).toBe(0);
});

test("ends marked processes", { timeout: 120_000 }, async () => {
  const mark = processMark();
  const env = { ...process.env, ...mark };
  const script = ["-e", "console.log('up'); setInterval(() => {}, 1000)"];
  const outcome = runCommand(process.execPath, script, { env, timeLimitSeconds });
  const ending = setInterval(() => endProcesses(mark), 100);
  const { code, stderr } = await outcome;
  clearInterval(ending);
  expect({ code, stderr }).toEqual({ code: null, stderr: "" });
});
