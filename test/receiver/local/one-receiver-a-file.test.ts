import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFile } from "../open-ledger.ts";
import { startProcess } from "./receiver-process.ts";

async function post(url: string, body: string): Promise<number> {
  return (await fetch(url, { method: "POST", body })).status;
}

async function outputOfRefused(data: string): Promise<string> {
  const refused = startProcess("--port", "0", "--data", data);
  expect(await once(refused.child, "close")).toEqual([1, null]);
  expect(refused.stdout()).toBe("");
  return refused.stderr();
}

test("a second receiver on the same file is refused with the first one's process id, and the first goes on", async () => {
  const data = temporaryFile();
  const first = startProcess("--port", "0", "--data", data);
  const url = await first.url();
  expect(await outputOfRefused(data)).toMatch(
    new RegExp(
      `^error: another receiver \\(process ${first.child.pid}, since \\S+Z\\) uses ${data}; stop it, or choose another file\n$`,
    ),
  );
  expect(await post(url, "still here")).toBe(200);
  await expect.poll(first.stdout, { timeout: 10_000 }).toContain('malformed "still here"');
});

test("a link to the file leads to the same refusal", async () => {
  const data = temporaryFile();
  const first = startProcess("--port", "0", "--data", data);
  await first.url();
  symlinkSync(data, `${data}.link`);
  expect(await outputOfRefused(`${data}.link`)).toContain(`process ${first.child.pid}`);
});

test.each(["SIGKILL", "SIGTERM"] as const)(
  "after %s of the receiver, the next one may use the file",
  async (signal) => {
    const data = temporaryFile();
    const first = startProcess("--port", "0", "--data", data);
    await first.url();
    await first.end(signal);
    const second = startProcess("--port", "0", "--data", data);
    expect(await post(await second.url(), "{}")).toBe(200);
  },
);

test("another process may read the file and put a message into the queue, which the receiver consumes by itself", async () => {
  const data = temporaryFile();
  const receiver = startProcess("--port", "0", "--data", data);
  const url = await receiver.url();
  await post(url, "by HTTP");
  const database = new DatabaseSync(data, { timeout: 5_000 });
  const bodies = () => database.prepare("SELECT CAST(body AS TEXT) AS body FROM records ORDER BY body").all();
  await expect.poll(bodies, { timeout: 10_000 }).toEqual([{ body: "by HTTP" }]);

  const facts = { version: 1, ingestId: "put", receivedAt: "2026-03-04T05:06:07.000Z", sourceIp: "", encoding: "utf8" };
  const message = JSON.stringify({ ...facts, body: "by another process" });
  database.prepare("INSERT INTO queue (message) VALUES (?)").run(message);
  await expect.poll(bodies, { timeout: 10_000 }).toEqual([{ body: "by HTTP" }, { body: "by another process" }]);
  database.close();
});
