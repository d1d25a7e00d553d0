import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { ConfigurationError, createClient } from "../../src/api/index.ts";
import { listen } from "../listen.ts";
import { apiKey } from "./scripted-server.ts";

const fixtures = join(import.meta.dirname, "../fixtures/tls");
const certificate = join(fixtures, "certificate.pem");
const server = createServer(
  { key: readFileSync(join(fixtures, "key.pem")), cert: readFileSync(certificate) },
  (request, response) => {
    receivedKeys.push(request.headers["x-api-key"]);
    response.end("[]");
  },
);
const receivedKeys: unknown[] = [];
let url = "";

beforeAll(async () => {
  url = await listen(server, "https");
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** The result of a call in a process with this environment. */
async function outcomeWith(environment: NodeJS.ProcessEnv): Promise<string> {
  receivedKeys.length = 0;
  const args = ["--no-warnings", join(import.meta.dirname, "call-once.ts"), url];
  const { stdout } = await runCommand(process.execPath, args, {
    env: { ...process.env, ...environment },
    timeLimitSeconds: 60,
  });
  return stdout;
}

test("refuses an untrusted certificate and sends it no key", async () => {
  expect(await outcomeWith({})).toMatch(/^NetworkError: GET \/v2\/tenants: no connection.*self-signed certificate/);
  expect(receivedKeys).toEqual([]);
});

test("refuses it even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
  expect(await outcomeWith({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toMatch(/^NetworkError: .*self-signed certificate/);
  expect(receivedKeys).toEqual([]);
});

test("accepts it where NODE_EXTRA_CA_CERTS trusts it", async () => {
  expect(await outcomeWith({ NODE_EXTRA_CA_CERTS: certificate })).toBe("a value\n");
  expect(receivedKeys).toEqual([apiKey]);
});

test("has no option to turn the check off", () => {
  for (const option of ["rejectUnauthorized", "insecure", "tls", "connect", "dispatcher"]) {
    const options = { baseUrl: url, apiKey, ...Object.fromEntries([[option, false]]) };
    expect(() => createClient(options), option).toThrow(ConfigurationError);
  }
});
