import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const main = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, "emulator", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** The outcome of a command that ends by itself. */
async function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = start(...args);
  if (!child.stdout || !child.stderr) throw new Error("no output");
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

/** Waits for the address that the emulator prints. */
async function address(child: ChildProcess): Promise<string> {
  let printed = "";
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    const url = /^Address: (http:\S+)\nAPI key: /m.exec(printed)?.[1];
    if (url) return url;
  }
  throw new Error(`no address in: ${printed}`);
}

const headers = { "x-api-key": "my-key", "content-type": "application/json" };

test.each(["SIGINT", "SIGTERM"] as const)("serves until %s and then ends with 0", async (signal) => {
  const child = start("--port", "0", "--api-key", "my-key", "--variant", "names=unique");
  const url = await address(child);
  expect((await fetch(`${url}/v2/tenants`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/v2/tenants`)).status).toBe(403);
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("keeps every change that it confirmed when it is killed", async () => {
  const data = mkdtempSync(join(tmpdir(), "emulator-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const first = start("--port", "0", "--api-key", "my-key", "--data", data);
  const body = JSON.stringify({ name: "acme", integration_id: 101 });
  expect((await fetch(`${await address(first)}/v2/tenants`, { method: "POST", headers, body })).status).toBe(200);
  first.kill("SIGKILL");
  await once(first, "exit");

  const second = start("--port", "0", "--api-key", "my-key", "--data", data);
  const tenants = await (await fetch(`${await address(second)}/v2/tenants`, { headers })).json();
  expect(tenants).toMatchObject([{ name: "acme" }]);
});

test("--clock manual starts a clock that is advanced over HTTP", async () => {
  const url = await address(start("--port", "0", "--clock", "manual"));
  const body = JSON.stringify({ advanceSeconds: 60 });
  const answer = await fetch(`${url}/_emulator/clock`, { method: "POST", headers, body });
  expect(await answer.json()).toEqual({ now: "2026-06-01T00:01:00.000Z", kind: "manual" });
});

test("--help lists the options and the variants", async () => {
  const { code, stdout } = await run("--help");
  expect(code).toBe(0);
  expect(stdout).toContain("--variant <name=value>");
  expect(stdout).toContain("patchAnswer: object | echoed | nothing | empty");
});

test.each<[number, string[], RegExp]>([
  [64, ["--variant", "colour=red"], /no variant "colour"[\s\S]*configs: replace \| merge/],
  [64, ["--variant", "configs=odd"], /"configs" cannot be "odd".*merge-patch/],
  [
    64,
    ["--variant", "configs"],
    /'--variant <name=value>' argument 'configs' is invalid. It must have the form name=value/,
  ],
  [64, ["--clock", "broken"], /'--clock <kind>' argument 'broken' is invalid.*real, manual/],
  [
    64,
    ["--lag-seconds", "long"],
    /'--lag-seconds <number>' argument 'long' is invalid. It must be a number of seconds/,
  ],
  [64, ["--port", "many"], /'--port <number>' argument 'many' is invalid. It must be a number from 0 to 65535/],
  [64, ["--port", "70000"], /'--port <number>' argument '70000' is invalid. It must be a number from 0 to 65535/],
  [64, ["--varaint", "configs=merge"], /unknown option '--varaint'[\s\S]*Did you mean --variant/],
  [64, ["--colour"], /--colour/],
  [1, ["--seed", "/nowhere.yaml"], /\/nowhere\.yaml cannot be read/],
  [1, ["--port", "0", "--api-key", " "], /must not be empty/],
])("ends with %i and one message for %j", async (exitCode, args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
  expect(stderr).toMatch(/^error: /);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("ends with 1 if its port is in use", async () => {
  const { port } = new URL(await address(start("--port", "0")));
  const { code, stdout, stderr } = await run("--port", port);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^error: .*${port}.*\n$`));
});

test("warns if other machines can reach it", async () => {
  const child = start("--port", "0", "--host", "0.0.0.0");
  expect(await address(child)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const [warning] = await once(child.stderr ?? child, "data");
  expect(String(warning)).toMatch(/warning: other machines can reach this emulator on 0\.0\.0\.0/);
});
