import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { runCliProcess } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { type ForwardProxy, startForwardProxy } from "../forward-proxy.ts";
import { listen } from "../listen.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const fixtures = join(import.meta.dirname, "../fixtures/tls");
const baseUrl = "https://platform.test";
const trusting = { NODE_EXTRA_CA_CERTS: join(fixtures, "authority.pem") };

describe("a platform behind a proxy, with a certificate of an organization's own authority", () => {
  let platform: LivePlatform;
  let proxy: ForwardProxy;
  let project: Project;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      const secure = open.adopt(secureServer(platform.emulator.url), (server) => void server.close());
      proxy = open.use(await startForwardProxy({ leadsTo: await listen(secure, "https"), credentials: "me:right" }));
      const env = { ...platform.env, INTEGRATION_PLATFORM_BASE_URL: baseUrl, HTTPS_PROXY: addressWith("right") };
      const stackYaml =
        "config:\n  integration-platform:tenants: { acme: { integration: crm-to-billing, configs: { region: eu } } }\n";
      project = open.use(await createProject({ stackYaml, env }));
    }),
  );

  test("is reached by up and by refresh", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview"], { env: trusting });
    expect(await platform.tenant("acme")).toMatchObject({ configs: { region: "eu" } });
    const lowerCase = { ...trusting, HTTPS_PROXY: undefined, https_proxy: addressWith("right") };
    await project.mustRun(["refresh", "--yes", "--skip-preview"], { env: lowerCase });
    expect(new Set(proxy.requests)).toEqual(new Set(["CONNECT platform.test:443"]));
  });

  test("is reached by a command", async () => {
    const outcome = await status({ ...trusting, HTTPS_PROXY: addressWith("right") });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(outcome.stdout).toContain("acme");
  });

  test("is not reached where the authority is unknown, and up and a command say what helps", async () => {
    const up = await project.up(["--refresh"]);
    const command = await status({ HTTPS_PROXY: addressWith("right") });
    expect([up.code === 0, command.code === 0]).toEqual([false, false]);
    for (const said of [up.stdout + up.stderr, command.stderr]) {
      expect(said.replace(/\s+/g, " ")).toContain("set NODE_EXTRA_CA_CERTS to the file with the issuer's certificate");
    }
  });

  test("is not reached with a wrong password for the proxy, which up and a command do not show", async () => {
    const HTTPS_PROXY = addressWith("wr0ng-5b1d");
    const up = await project.up(["--refresh"], { env: { ...trusting, HTTPS_PROXY } });
    const command = await status({ ...trusting, HTTPS_PROXY });
    for (const said of [up.stdout + up.stderr, command.stderr]) {
      expect(said.replace(/\s+/g, " ")).toContain("Correct the user name and the password in HTTPS_PROXY.");
      expect(said).not.toContain("wr0ng-5b1d");
    }
  });

  function addressWith(password: string): string {
    return proxy.url.replace("http://", `http://me:${password}@`);
  }

  function status(environment: NodeJS.ProcessEnv) {
    const { apiKey } = platform.emulator;
    return runCliProcess({ url: baseUrl, apiKey }, ["status"], environment);
  }
});

/** Speaks TLS as platform.test, and passes everything on to a server. */
function secureServer(url: string) {
  const { hostname, port } = new URL(url);
  const [key, cert] = ["key.pem", "platform.pem"].map((name) => readFileSync(join(fixtures, name)));
  return createServer({ key, cert }, (socket) => {
    const target = connect(Number(port), hostname);
    socket.on("error", () => target.destroy()).pipe(target);
    target.on("error", () => socket.destroy()).pipe(socket);
  });
}
