import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const main = fileURLToPath(new URL("../../src/emulator/main.ts", import.meta.url));

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** What a command that ends by itself prints. */
async function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = start(...args);
  if (!child.stdout || !child.stderr) throw new Error("no output");
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

/** The address, once it is printed. */
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

test.each(["SIGINT", "SIGTERM"] as const)("serves until %s, then ends cleanly", async (signal) => {
  const child = start(
    "--port",
    "0",
    "--api-key",
    "my-key",
    "--variant",
    "unauthorized=401",
    "--variant",
    "names=unique",
  );
  const url = await address(child);
  expect((await fetch(`${url}/v2/tenants`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/v2/tenants`)).status).toBe(401);
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("a kill loses nothing of what was answered", async () => {
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

test("--help says what there is", async () => {
  const { code, stdout } = await run("--help");
  expect(code).toBe(0);
  expect(stdout).toContain("--variant name=value");
  expect(stdout).toContain("patchAnswer: object | nothing | empty");
});

test.each([
  [["--variant", "colour=red"], /no variant "colour"[\s\S]*configs: replace \| merge/],
  [["--variant", "configs=odd"], /"configs" cannot be "odd".*merge-patch/],
  [["--variant", "configs"], /name=value/],
  [["--clock", "broken"], /--clock must be real or manual/],
  [["--port", "many"], /--port must be a number/],
  [["--port", "70000"], /--port must be a number/],
  [["--colour"], /--colour/],
  [["--seed", "/nowhere.yaml"], /\/nowhere\.yaml cannot be read/],
  [["--port", "0", "--api-key", " "], /must not be empty/],
])("refuses %j in one plain message", async (args, message) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("warns when others can reach it", async () => {
  const child = start("--port", "0", "--host", "0.0.0.0");
  expect(await address(child)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const [warning] = await once(child.stderr ?? child, "data");
  expect(String(warning)).toMatch(/Warning: on 0\.0\.0\.0 others can reach/);
});
