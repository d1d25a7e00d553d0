import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { call, install, startEmulator, startManual, sync } from "../running-emulator.ts";

/** The signed link that the log's redirect contains. */
async function linkTo(emulator: Emulator, runId: number): Promise<string> {
  const answer = await fetch(`${emulator.url}/v2/runs/${runId}/log`, {
    headers: { "x-api-key": emulator.apiKey },
    redirect: "manual",
  });
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

/** The response of a signed link, without an API key. */
async function open(link: string) {
  const answer = await fetch(link);
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}

/** An emulator whose only tenant had run 7001, with this script. */
async function afterRun(script: object): Promise<Emulator> {
  const emulator = await startManual();
  await sync(emulator, await install(emulator, { runs: script }), "init");
  await emulator.advance({ seconds: 6 });
  return emulator;
}

describe("a run's log", () => {
  test("has a signed link that needs no API key", async () => {
    const emulator = await afterRun({ log: ["reading <contacts> & more"], outcome: "fail", failure: "no such list" });
    const link = await linkTo(emulator, 7001);
    expect(new URL(link).pathname).not.toMatch(/^\/v2/);
    const { status, type, text } = await open(link);
    expect([status, type]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^2026-06-01T00:00:01.000Z INFO run 7001 of tenant acme \(5001\) started, mode init\n/);
    expect(text).toContain("INFO reading <contacts> & more\n");
    expect(text).toMatch(/2026-06-01T00:00:06.000Z ERROR run 7001 failed: no such list\n$/);
  });

  test("has links that expire after 15 minutes", async () => {
    const emulator = await afterRun({});
    const link = await linkTo(emulator, 7001);
    await emulator.advance({ seconds: 899 });
    expect((await open(link)).status).toBe(200);
    await emulator.advance({ seconds: 1 });
    expect(await open(link)).toMatchObject({
      status: 403,
      type: "application/xml",
      text: expect.stringContaining("<Message>Request has expired</Message>"),
    });
    expect((await open(await linkTo(emulator, 7001))).status).toBe(200);
  });

  test("refuses a link that somebody has changed", async () => {
    const emulator = await afterRun({});
    const link = new URL(await linkTo(emulator, 7001));
    const later = new URL(link);
    later.searchParams.set("expires", "9999999999");
    const other = new URL(link.href.replace("7001", "7002"));
    const unsigned = new URL(link);
    unsigned.search = "";
    for (const forged of [later, other, unsigned]) {
      const { status, text } = await open(forged.href);
      expect([status, text]).toEqual([403, expect.stringContaining("SignatureDoesNotMatch")]);
    }
  });

  test("has its first lines during the run, and does not exist before", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    await sync(emulator, id);
    await emulator.advance({ seconds: 1 });
    await sync(emulator, id);
    await emulator.advance({ seconds: 1 });
    expect((await open(await linkTo(emulator, 7001))).text).toMatch(/started, mode normal\n.*\n$/);
    expect(await call(emulator, "GET", "/v2/runs/7002/log")).toMatchObject({
      status: 404,
      body: { message: "Run 7002 has no log yet" },
    });
  });

  test("of an invalid or unknown run is refused", async () => {
    const emulator = await startEmulator();
    expect(await call(emulator, "GET", "/v2/runs/1/log")).toMatchObject({
      status: 404,
      body: { message: "Run 1 not found" },
    });
    expect(await call(emulator, "GET", "/v2/runs/x/log")).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["path", "run_id"] }] },
    });
    expect((await call(emulator, "GET", "/v2/runs/1/log", undefined, {})).status).toBe(403);
  });

  test("leaves no signature in the request log", async () => {
    const emulator = await afterRun({});
    const link = new URL(await linkTo(emulator, 7001));
    await open(link.href);
    expect(JSON.stringify(emulator.requests())).not.toContain(link.searchParams.get("signature"));
  });

  test("meets faults", async () => {
    const emulator = await afterRun({});
    emulator.fault({ kind: "status", status: 503, match: { path: "^/_storage/" } });
    const link = await linkTo(emulator, 7001);
    expect([(await open(link)).status, (await open(link)).status]).toEqual([503, 200]);
    emulator.fault({ kind: "wrong-shape", match: { path: "^/_storage/" } });
    expect((await open(link)).text).toMatch(/^\["2026/);
  });
});

test("an unknown trigger is not found", async () => {
  const emulator = await startEmulator();
  expect(await call(emulator, "GET", "/v2/runs/triggers/none/status")).toMatchObject({
    status: 404,
    body: { message: "Trigger none not found" },
  });
});

test("a run, its status and its triggers can be read with the API key", async () => {
  const emulator = await afterRun({ outcome: "fail" });
  expect((await call(emulator, "GET", "/v2/runs/7001")).body).toMatchObject({
    id: 7001,
    mode: "init",
    status: {
      phase: "Failed (Integration Issue)",
      startTime: "2026-06-01T00:00:01.000Z",
      completionTime: "2026-06-01T00:00:06.000Z",
    },
    triggers: [{ source: "api" }],
    tenant_id: 5001,
    integration_id: 101,
  });
  expect((await call(emulator, "GET", "/v2/runs/7001/status")).body).toEqual({ status: "failed" });
  expect((await call(emulator, "GET", "/v2/runs/7001/triggers")).body).toMatchObject([{ source: "api" }]);
  for (const path of ["", "/status", "/triggers"]) {
    expect((await call(emulator, "GET", `/v2/runs/7001${path}`, undefined, {})).status).toBe(403);
    expect((await call(emulator, "GET", `/v2/runs/1${path}`)).status).toBe(404);
  }
});
