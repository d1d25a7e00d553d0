import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../bench/journal/app.ts";

let folder: string;
let app: ReturnType<typeof createApp>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "journal-test-"));
  app = createApp(folder);
  await mustSend("POST", "/api/stacks/bench/shop", { stackName: "test" });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const stack = "/api/stacks/bench/shop/test";

async function send(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const init = body === undefined ? {} : { body: gzipSync(JSON.stringify(body)) };
  const response = await app.request(path, { method, headers: { "content-encoding": "gzip" }, ...init });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

async function mustSend(...request: Parameters<typeof send>): Promise<unknown> {
  const { status, body } = await send(...request);
  if (status >= 300) throw new Error(`${request.join(" ")}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Starts an update and returns its path. */
async function start(kind = "update"): Promise<string> {
  const { updateID } = Object(await mustSend("POST", `${stack}/${kind}`, {}));
  const path = `${stack}/update/${updateID}`;
  expect(await mustSend("POST", path, { journalVersion: 1 })).toMatchObject({
    token: expect.stringMatching(/./),
    journalVersion: 1,
  });
  return path;
}

function record(update: string, urn: string, sequenceID = 1) {
  const entry = { version: 1, kind: 1, operationID: sequenceID, sequenceID, state: { urn } };
  return send("PATCH", `${update}/journalentries`, { entries: [entry] });
}

async function exported(): Promise<string[]> {
  const { deployment } = Object(await mustSend("GET", `${stack}/export`));
  const resources: { urn: string }[] = deployment.resources ?? [];
  return resources.map(({ urn }) => urn);
}

describe("the state service", () => {
  test("has the entries of an update in the state as soon as it has answered, and after its end", async () => {
    const update = await start();
    expect((await record(update, "a")).status).toBe(200);
    expect(await exported()).toEqual(["a"]);
    expect((await record(update, "b", 2)).status).toBe(200);
    await mustSend("POST", `${update}/complete`, { status: "succeeded" });
    expect(await exported()).toEqual(["a", "b"]);
    expect(await mustSend("GET", update)).toMatchObject({ status: "succeeded" });
  });

  test("keeps what it has answered on the disk: another process finds it there", async () => {
    const update = await start();
    await record(update, "a");
    app = createApp(folder);
    expect(await exported()).toEqual(["a"]);
    expect(await mustSend("GET", "/api/user/stacks")).toEqual({
      stacks: [{ orgName: "bench", projectName: "shop", stackName: "test" }],
    });
  });

  test("locks a stack for one update, until it is cancelled", async () => {
    const update = await start();
    await record(update, "a");
    const { updateID } = Object(await mustSend("POST", `${stack}/destroy`, {}));
    const second = await send("POST", `${stack}/update/${updateID}`, { journalVersion: 1 });
    expect(second).toMatchObject({ status: 409, body: { message: expect.stringContaining("in progress") } });

    expect(update).toContain(Object(await mustSend("GET", stack)).activeUpdate);
    await mustSend("POST", `${update}/cancel`);
    expect((await record(update, "late", 2)).status).toBe(409);
    expect(await mustSend("GET", stack)).toMatchObject({ activeUpdate: "" });
    expect((await record(await start(), "b")).status).toBe(200);
    expect(await exported()).toEqual(["b", "a"]);
  });

  test("unlocks a stack when the lease of a killed update has expired, and keeps its entries", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const update = await start();
    await record(update, "a");
    vi.advanceTimersByTime(200_000);
    await mustSend("POST", `${update}/renew_lease`, { duration: 300 });
    vi.advanceTimersByTime(200_000);
    const { updateID } = Object(await mustSend("POST", `${stack}/update`, {}));
    expect(await send("POST", `${stack}/update/${updateID}`, { journalVersion: 1 })).toMatchObject({ status: 409 });
    vi.advanceTimersByTime(200_000);
    await start();
    expect(await exported()).toEqual(["a"]);
    expect(await mustSend("GET", update)).toMatchObject({ status: "failed" });
  });

  test("lets previews run beside an update", async () => {
    const update = await start();
    const preview = await start("preview");
    await mustSend("POST", `${preview}/complete`, { status: "succeeded" });
    expect((await record(update, "a")).status).toBe(200);
    expect(await exported()).toEqual(["a"]);
  });

  test("imports a state, and removes a stack with resources only by force", async () => {
    const checkpoint = { version: 3, deployment: { metadata: {}, resources: [{ urn: "a", outputs: { n: 1 } }] } };
    const { updateId } = Object(await mustSend("POST", `${stack}/import`, checkpoint));
    expect(await mustSend("GET", `${stack}/update/${updateId}`)).toMatchObject({ status: "succeeded" });
    expect(await mustSend("GET", `${stack}/export`)).toEqual(checkpoint);
    expect(await send("DELETE", stack)).toMatchObject({
      status: 400,
      body: { message: "Bad Request: Stack still contains resources." },
    });
    await mustSend("DELETE", `${stack}?force=true`);
    expect((await send("GET", stack)).status).toBe(404);
  });

  test("refuses an engine that does not keep a journal, entries that it does not know, and odd names", async () => {
    const { updateID } = Object(await mustSend("POST", `${stack}/update`, {}));
    expect((await send("POST", `${stack}/update/${updateID}`, {})).status).toBe(400);
    const update = await start();
    const printed = vi.spyOn(console, "error").mockReturnValue();
    expect((await send("PATCH", `${update}/journalentries`, { entries: [{ kind: 1 }] })).status).toBe(400);
    expect(await exported()).toEqual([]);
    printed.mockRestore();
    expect((await send("POST", "/api/stacks/bench/shop", { stackName: "../test" })).status).toBe(400);
    expect((await send("POST", "/api/stacks/bench/shop", { stackName: "test" })).status).toBe(409);
  });
});
