import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { startServer } from "./scripted-server.ts";

const megabyte = 1024 * 1024;

/** The result of a call in a process with a heap of this size. */
async function outcomeOf(url: string, call: string, heapMegabytes: number): Promise<string> {
  const script = join(import.meta.dirname, "call-once.ts");
  const args = [`--max-old-space-size=${heapMegabytes}`, script, url, call];
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { timeLimitSeconds: 60 });
  return code === 0 ? stdout.trim() : `ended with ${code}: ${stderr.slice(-1000)}`;
}

/** Sends a body of this size without holding it in memory. */
async function sendMuch(response: NodeJS.WritableStream, megabytes: number, piece: string) {
  const chunk = Buffer.from(piece.repeat(Math.ceil(megabyte / piece.length)));
  for (let sent = 0; sent < megabytes; sent += 1) {
    const isFlowing = response.write(chunk);
    if (!isFlowing) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end();
}

type Answer = (response: ServerResponse) => unknown;

const answers: [what: string, call: string, answer: Answer, expected: string][] = [
  [
    "announced by content-length",
    "list",
    (response) => sendMuch(response.writeHead(200, { "content-length": 100 * megabyte }), 100, " "),
    "UnexpectedResponseError: GET /v2/tenants: a response of more than 67108864 bytes",
  ],
  [
    "in chunks",
    "list",
    (response) => sendMuch(response.writeHead(200), 100, "[1],"),
    "UnexpectedResponseError: GET /v2/tenants: a response of more than 67108864 bytes",
  ],
  [
    "to a write",
    "build",
    (response) => sendMuch(response.writeHead(201), 100, "x"),
    "The request may have taken effect",
  ],
  [
    "compressed, although the request did not accept that",
    "list",
    (response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" });
      const gzip = createGzip();
      gzip.pipe(response);
      return sendMuch(gzip, 100, " ");
    },
    "not UTF-8",
  ],
  [
    "of an error",
    "list",
    (response) => sendMuch(response.writeHead(400, { "content-type": "application/json" }), 100, '{"detail": '),
    'ValidationError: GET /v2/tenants: refused as invalid (status 400): {"detail":',
  ],
  [
    "of an error in plain text",
    "build",
    (response) => sendMuch(response.writeHead(500), 100, "a "),
    "ServerError: POST /v2/sourcecontrol/build: the server failed (status 500): a a a",
  ],
  [
    "of a redirect",
    "list",
    (response) => sendMuch(response.writeHead(307, { location: "/elsewhere" }), 100, "x"),
    "a redirect to",
  ],
  [
    "of a log",
    "log",
    (response) => {
      if (response.req.url === "/v2/runs/7/log") return response.writeHead(302, { location: "/signed" }).end();
      return sendMuch(response.writeHead(200), 100, "line\n");
    },
    "UnexpectedResponseError: GET /v2/runs/7/log: a response of more than 67108864 bytes",
  ],
  [
    "nested 10,000 deep",
    "list",
    (response) => response.end(`${"[".repeat(10_000)}${"]".repeat(10_000)}`),
    "nested more than 200 levels deep",
  ],
];

describe("a process with little memory survives a response of 100 MB or of extreme shape:", () => {
  test.each(answers)("%s", { timeout: 60_000 }, async (_what, call, answer, expected) => {
    await using server = await startServer((_request, response) => void answer(response.on("error", () => {})));
    expect(await outcomeOf(server.url, call, 192)).toContain(expected);
  });

  test.each([
    ["items that are no records", "1", "[0]: expected object, got number (and 9 more)"],
    ["empty records", "{}", "[0].id: expected number, got nothing (and 19 more)"],
    ["lists in a list", "[]", "[0]: expected object, got array (and 9 more)"],
  ])("millions of %s", { timeout: 60_000 }, async (_what, item, expected) => {
    const half = `${`${item},`.repeat((4 * megabyte) / (item.length + 1))}${item}`;
    await using server = await startServer((_request, response) => void response.end(`[${half},${half}]`));
    expect(await outcomeOf(server.url, "list", 768)).toContain(expected);
  });
});
