import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { ClientOptions, MachineClock } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { listen } from "../listen.ts";
import { respondJson, type Script, type ScriptedServer, startServer } from "./scripted-server.ts";

const noon = "Mon, 02 Mar 2026 12:00:00 GMT";
const later = "Mon, 02 Mar 2026 12:00:07 GMT";
const machineClock: MachineClock = { now: () => Date.parse(noon), elapsed: () => performance.now() };

test("is undefined before the first response", async () => {
  await using server = await startClocked((_request, response) => respondJson(response, 200, [], { date: noon }));

  expect(server.client.clock()).toBeUndefined();
  await server.client.tenants.listPage();
  expect(server.client.clock()).toEqual(new Date("2026-03-02T12:00:00Z"));
});

test("goes on with each response, and never back", async () => {
  await using server = await answering([{ date: later }, { date: noon }, { date: "Mon, 02 Mar 2026 12:00:08 GMT" }]);

  expect(await timesAfterCalls(server, 3)).toEqual([
    "2026-03-02T12:00:07.000Z",
    "2026-03-02T12:00:07.000Z",
    "2026-03-02T12:00:08.000Z",
  ]);
});

test("is a copy: a caller that changes it does not change the client's", async () => {
  await using server = await answering([{ date: noon }]);
  await server.client.tenants.listPage();

  server.client.clock()?.setFullYear(1999);

  expect(server.client.clock()).toEqual(new Date("2026-03-02T12:00:00Z"));
});

test.each([
  "",
  "soon",
  "2026-03-02T12:00:09Z",
  "Mon, 1",
  "Mon, 02 Mar 2026 12:00:09",
  "Mon, 02 Mar 2026 25:00:00 GMT",
  "Mon, 02 Foo 2026 12:00:09 GMT",
  "Mon, 02 Mar 2026 12:00:09 +0100",
])("ignores a Date that is invalid: %j", async (date) => {
  await using server = await answering([{ date }, { date: noon }, { date }]);

  expect(await timesAfterCalls(server, 3)).toEqual([undefined, "2026-03-02T12:00:00.000Z", "2026-03-02T12:00:00.000Z"]);
});

test("ignores a response without a Date", async () => {
  await using server = await startClocked((_request, response, number) => {
    response.sendDate = false;
    respondJson(response, 200, [], number === 2 ? { date: noon } : {});
  });

  expect(await timesAfterCalls(server, 3)).toEqual([undefined, "2026-03-02T12:00:00.000Z", "2026-03-02T12:00:00.000Z"]);
});

test("reads the old form of an HTTP date", async () => {
  await using server = await answering([{ date: "Monday, 02-Mar-26 12:00:00 GMT" }]);

  expect(await timesAfterCalls(server, 1)).toEqual(["2026-03-02T12:00:00.000Z"]);
});

test.each([401, 404, 422, 500])("is read from the response of an error: %d", async (status) => {
  await using server = await startClocked(
    (_request, response) => respondJson(response, status, { message: "no" }, { date: noon }),
    { maxAttempts: 1 },
  );

  await failureOf(server.client.tenants.archive(7));

  expect(server.client.clock()).toEqual(new Date("2026-03-02T12:00:00Z"));
});

test("is read from every attempt of a call", async () => {
  await using server = await startClocked((_request, response, number) =>
    number === 1 ? respondJson(response, 503, {}, { date: later }) : respondJson(response, 200, [], { date: noon }),
  );

  expect(await timesAfterCalls(server, 1)).toEqual(["2026-03-02T12:00:07.000Z"]);
});

test("is read from a response that breaks off, and from one of another shape", async () => {
  await using server = await startClocked(
    (_request, response, number) => {
      if (number === 2) return respondJson(response, 200, { not: "a list" }, { date: later });
      response.writeHead(200, { "content-type": "application/json", "content-length": 100, date: noon });
      response.write("[", () => response.destroy());
    },
    { maxAttempts: 1 },
  );

  await failureOf(server.client.tenants.listPage());
  expect(server.client.clock()).toEqual(new Date("2026-03-02T12:00:00Z"));
  await failureOf(server.client.tenants.listPage());
  expect(server.client.clock()).toEqual(new Date("2026-03-02T12:00:07Z"));
});

test.each(["getLog", "streamLog"] as const)("%s leaves the clock of the logs' storage aside", async (method) => {
  await using storage = createServer((_request, response) => {
    response.writeHead(200, { date: "Tue, 03 Mar 2026 09:00:00 GMT" }).end("the log");
  });
  const storageUrl = await listen(storage);
  await using server = await startClocked((_request, response) => {
    response.writeHead(302, { location: `${storageUrl}/log?signature=1`, date: noon }).end();
  });

  const log = await server.client.runs[method](7);

  expect(typeof log === "string" ? log : await new Response(log).text()).toBe("the log");
  expect(server.client.clock()).toEqual(new Date("2026-03-02T12:00:00Z"));
  storage.closeAllConnections();
});

/** A server, and a client on a machine whose clock agrees with it. */
function startClocked(script: Script, options: Partial<ClientOptions> = {}): Promise<ScriptedServer> {
  return startServer(script, { machineClock, ...options });
}

/** A server whose responses have these headers, one after the other. */
function answering(headers: readonly Record<string, string>[]): Promise<ScriptedServer> {
  return startClocked((_request, response, number) => respondJson(response, 200, [], headers[number - 1]));
}

/** What the clock shows after each of some calls. */
async function timesAfterCalls({ client }: ScriptedServer, calls: number): Promise<(string | undefined)[]> {
  const times: (string | undefined)[] = [];
  for (let call = 1; call <= calls; call += 1) {
    await client.tenants.listPage();
    times.push(client.clock()?.toISOString());
  }
  return times;
}
