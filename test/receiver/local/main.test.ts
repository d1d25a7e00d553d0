import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { payload } from "../fixtures.ts";
import { temporaryFile } from "../open-ledger.ts";
import { type ReceiverProcess, startProcess } from "./receiver-process.ts";

const token = randomBytes(32).toString("hex");
const pollOptions = { timeout: 10_000 };

async function post(url: string, body: string | Buffer): Promise<number> {
  return (await fetch(url, { method: "POST", body })).status;
}

/** The lines that a receiver printed after its URL. */
function eventLines(receiver: ReceiverProcess): string[] {
  return receiver.stdout().split("\n").slice(1, -1);
}

describe("npm run receiver", () => {
  test("prints a URL with a random token, and each event in one line", async () => {
    const receiver = startProcess("--port", "0");
    const url = await receiver.url();
    expect(new URL(url).searchParams.get("token")).toMatch(/^[\w-]{32}$/);
    expect(await post(url, JSON.stringify(payload("new_tenant_created")))).toBe(200);
    expect(await post(url, "nope")).toBe(200);
    await expect.poll(() => eventLines(receiver), pollOptions).toHaveLength(2);
    expect(eventLines(receiver)).toEqual([
      expect.stringMatching(
        /^\S+Z info new_tenant_created tenant_id=5001 tenant_name="acme" integration_id=101 .* \[\S+\]$/,
      ),
      expect.stringMatching(/^\S+Z warn malformed "nope" \[\S+\]$/),
    ]);
  });

  test("ends when nobody reads its lines any more, instead of losing events", async () => {
    const receiver = startProcess("--port", "0");
    const url = await receiver.url();
    const ended = once(receiver.child, "exit");
    receiver.child.stdout?.destroy();
    await post(url, JSON.stringify(payload("new_tenant_created")));
    expect(await ended).toEqual([0, null]);
  });

  test("escapes control characters in everything that it prints", async () => {
    const receiver = startProcess("--port", "0");
    const url = await receiver.url();
    const evil = "\u001b]0;owned\u0007\u009b31m\r\n\u202e";
    await post(url, evil);
    await post(url, JSON.stringify({ event_type: evil, [evil]: evil }));
    await post(url, JSON.stringify(payload("tenant_archived", { tenant_name: evil, [evil]: evil })));
    await expect.poll(() => eventLines(receiver), pollOptions).toHaveLength(3);
    expect(receiver.stdout() + receiver.stderr()).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
  });

  test("prints its token only once", async () => {
    const receiver = startProcess("--port", "0", "--token", token);
    const url = await receiver.url();
    await fetch(url);
    await post(`${url}x`, "{}");
    await post(url, "{}");
    await post(url, "x".repeat(2_000_000));
    await receiver.end("SIGTERM");
    expect(receiver.stderr()).toMatch(/^\S+Z warn webhook rejected .*reason="token"/m);
    expect(`${receiver.stdout()}${receiver.stderr()}`.split(token)).toHaveLength(2);
  });

  test("answers as the Lambda function does: 405, 403, 413, and 200 for everything else", async () => {
    const url = await startProcess("--port", "0", "--token", token).url();
    expect((await fetch(url)).status).toBe(405);
    expect(await post(url.replace(token, "wrong"), "{}")).toBe(403);
    expect(await post(url, Buffer.alloc(1_048_577, "x"))).toBe(413);
    expect(await post(url, Buffer.alloc(20_000_000, "x"))).toBe(413);
    expect(await post(url, Buffer.alloc(1_000_000, "x"))).toBe(200);
    expect(await post(url, "")).toBe(200);
  });

  test("resumes with its file: the ledger persists, and messages in the queue are consumed", async () => {
    const data = temporaryFile();
    const args = ["--port", "0", "--data", data, "--token", token];
    const first = startProcess(...args);
    await post(await first.url(), "one");
    expect(await first.end("SIGTERM")).toEqual([0, null]);
    const database = new DatabaseSync(data);
    const message = {
      version: 1,
      ingestId: "waiting",
      receivedAt: "2026-03-04T05:06:07Z",
      sourceIp: "",
      encoding: "utf8",
      body: "two",
    };
    database.prepare("INSERT INTO queue (message) VALUES (?)").run(JSON.stringify(message));

    const second = startProcess(...args);
    await second.url();
    const bodies = () => database.prepare("SELECT CAST(body AS TEXT) AS body FROM records ORDER BY body").all();
    await expect.poll(bodies, pollOptions).toEqual([{ body: "one" }, { body: "two" }]);
    expect(await second.end("SIGINT")).toEqual([0, null]);
    expect(second.stdout()).toContain("[waiting]");
    expect(database.prepare("SELECT count(*) AS count FROM queue").get()).toEqual({ count: 0 });
    database.close();
  });

  test("answers an open request after SIGTERM, and consumes its event before it ends", async () => {
    const data = temporaryFile();
    const receiver = startProcess("--port", "0", "--data", data);
    const webhook = request(await receiver.url(), { method: "POST", headers: { expect: "100-continue" } });
    webhook.flushHeaders();
    await once(webhook, "continue");
    const ended = receiver.end("SIGTERM");
    webhook.end("{}");
    const [answer] = await once(webhook, "response");
    expect(answer.statusCode).toBe(200);
    answer.resume();
    expect(await ended).toEqual([0, null]);
    const database = new DatabaseSync(data);
    expect(database.prepare("SELECT status FROM records").all()).toEqual([{ status: "published" }]);
    database.close();
  });

  test("ends with 0 if it is stopped once more while it ends", async () => {
    const receiver = startProcess("--port", "0");
    const webhook = request(await receiver.url(), {
      method: "POST",
      agent: false,
      headers: { expect: "100-continue" },
    });
    webhook.flushHeaders();
    await once(webhook, "continue");
    const ended = receiver.end("SIGINT");
    await sleep(300);
    receiver.child.kill("SIGTERM");
    await sleep(300);
    webhook.end("{}");
    const [answer] = await once(webhook, "response");
    expect(answer.statusCode).toBe(200);
    answer.resume();
    expect(await ended).toEqual([0, null]);
    expect(receiver.stderr()).not.toMatch(/^\s+at /m);
  });
});

describe("a start that cannot succeed prints one line:", () => {
  test.each<[string[], number, string]>([
    [["--port", "many"], 64, "'--port <number>' argument 'many' is invalid. It must be a number from 0 to 65535"],
    [["--port", "0", "--token", "short"], 64, "error: --token must have 32 to 256 random letters"],
    [
      ["--port", "0", "--token", "0f".repeat(32)],
      64,
      "--token must be random, and this one can be guessed; generate one",
    ],
    [["--port", "0", "--token", `${token}/`], 64, "--token must have 32 to 256 random letters"],
    [["--port", "0", "--data", "/nowhere/receiver.sqlite"], 1, "/nowhere/receiver.sqlite"],
    [["--port", "0", "--data", ""], 1, "unable to open database file"],
    [["--colour"], 64, "--colour"],
  ])("%j", async (args, code, message) => {
    const receiver = startProcess(...args);
    expect(await once(receiver.child, "close")).toEqual([code, null]);
    expect(receiver.stderr()).toContain(message);
    expect(receiver.stderr()).not.toMatch(/^\s+at /m);
  });

  test("a port that is in use", async () => {
    const { port } = new URL(await startProcess("--port", "0").url());
    const second = startProcess("--port", port);
    await once(second.child, "close");
    expect(second.stderr()).toBe(
      `error: the receiver cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    );
  });

  test("a database of another program, which stays as it is", async () => {
    const data = temporaryFile();
    const database = new DatabaseSync(data);
    database.exec("CREATE TABLE theirs (value TEXT)");
    database.close();
    const before = readFileSync(data);
    const receiver = startProcess("--port", "0", "--data", data);
    expect(await once(receiver.child, "close")).toEqual([1, null]);
    expect(receiver.stderr()).toContain("it is not a file of this version of the receiver");
    expect(readFileSync(data).equals(before)).toBe(true);
  });
});

test("--help prints the options", async () => {
  const receiver = startProcess("--help");
  expect(await once(receiver.child, "close")).toEqual([0, null]);
  expect(receiver.stdout()).toContain("--data <file>");
});
