import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { commandLine, runCli } from "../cli/run-cli.ts";
import { liveNames } from "./listed-tenants.ts";

/** Passes requests on to the emulator, and calls back with the number of each request that was answered there. */
async function gateway({ url }: Emulator, onAnswered: (number: number) => void) {
  let number = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url: path } = incoming;
    const forwarded = request(new URL(path ?? "/", url), { method, headers }, (answer) => {
      number += 1;
      onAnswered(number);
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => number,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const args = (out: string) => ["calibrate", "--write", "--yes", "--integration", "crm-to-billing", "--out", out];

/** Ends a calibration with a signal once a request has been answered. Returns the number of requests that there were. */
async function endedBy(signal: "SIGINT" | "SIGKILL", at: number, emulator: Emulator, out: string): Promise<number> {
  let child: ChildProcess | undefined;
  await using on = await gateway(emulator, (number) => {
    if (number === at) child?.kill(signal);
  });
  const env = {
    ...process.env,
    INTEGRATION_PLATFORM_BASE_URL: on.url,
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
  };
  child = spawn(process.execPath, [commandLine, ...args(out)], { env, stdio: "ignore" });
  await once(child, "exit");
  return on.count();
}

describe("a calibration that is ended at some request", () => {
  const points = [6, 7, 8, 13, 24, 36];

  test.each(points)("by SIGKILL after request %i: the next one archives what it has left", async (at) => {
    const emulator = await createEmulator();
    onTestFinished(() => emulator.close());
    const out = join(mkdtempSync(join(tmpdir(), "calibrate-")), "platform.json");
    await endedBy("SIGKILL", at, emulator, out);
    const { code } = await runCli(emulator, args(out));
    expect(code).toBe(0);
    expect(await liveNames(emulator)).toEqual([]);
  });

  test.each([7, 20])("by SIGINT after request %i: it archives its tenant itself", async (at) => {
    const emulator = await createEmulator();
    onTestFinished(() => emulator.close());
    const out = join(mkdtempSync(join(tmpdir(), "calibrate-")), "platform.json");
    expect(await endedBy("SIGINT", at, emulator, out)).toBeGreaterThan(at);
    expect(await liveNames(emulator)).toEqual([]);
  });
});
