import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { ConfigurationError, createClient } from "../../src/api/index.ts";
import { apiKey } from "./scripted-server.ts";

const fixtures = join(import.meta.dirname, "../fixtures/tls");
const certificate = join(fixtures, "certificate.pem");
const server = createServer(
  { key: readFileSync(join(fixtures, "key.pem")), cert: readFileSync(certificate) },
  (request, response) => {
    keysSeen.push(request.headers["x-api-key"]);
    response.end("[]");
  },
);
const keysSeen: unknown[] = [];
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** How a call ends in a process with this environment. */
async function outcomeWith(environment: NodeJS.ProcessEnv): Promise<string> {
  keysSeen.length = 0;
  const args = ["--no-warnings", join(import.meta.dirname, "call-once.ts"), url];
  const { stdout } = await runCommand(process.execPath, args, {
    env: { ...process.env, ...environment },
    timeLimitSeconds: 60,
  });
  return stdout;
}

it("refuses a certificate that nobody vouches for, and sends it no key", async () => {
  expect(await outcomeWith({})).toMatch(/^NetworkError: GET \/v2\/tenants: no connection.*self-signed certificate/);
  expect(keysSeen).toEqual([]);
});

it("refuses it as well where NODE_TLS_REJECT_UNAUTHORIZED would let it pass", async () => {
  expect(await outcomeWith({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toMatch(/^NetworkError: .*self-signed certificate/);
  expect(keysSeen).toEqual([]);
});

it("takes it where NODE_EXTRA_CA_CERTS vouches for it", async () => {
  expect(await outcomeWith({ NODE_EXTRA_CA_CERTS: certificate })).toBe("a value\n");
  expect(keysSeen).toEqual([apiKey]);
});

it("has no option that turns the check off", () => {
  for (const option of ["rejectUnauthorized", "insecure", "tls", "connect", "dispatcher"]) {
    const options = { baseUrl: url, apiKey, ...Object.fromEntries([[option, false]]) };
    expect(() => createClient(options), option).toThrow(ConfigurationError);
  }
});
