import { spawn } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEmulator, type Emulator, type Seed } from "../../../src/emulator/index.ts";
import { ownRunWords } from "../../own-run-words.ts";
import { runCli, runCliProcess } from "../run-cli.ts";
import { standInStack } from "../stand-in-stack.ts";
import { someTenants } from "../tenants/some-tenants.ts";

describe("status", () => {
  let emulator: Emulator;
  const run = (...args: string[]) => runCli(emulator, ["status", ...args]);

  beforeAll(async () => {
    emulator = await createEmulator({ seed: someTenants, clock: "manual" });
  });
  beforeEach(() => emulator.clearRequests());
  afterAll(() => emulator.close());

  test("shows a summary, and then the tenants of each integration, failing ones first", async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`6 tenants at 2026-06-01 00:00 UTC
  4 connected, 1 not connected, 1 never connected
  2 paused, 2 failing

RELEASE        TENANTS  INTEGRATION
v1.0.0         3        billing
v2.0.0         1        billing
v2.0.0 Latest  1        billing
p1             1        payroll

billing:
NAME      STATE                   RELEASE        SCHEDULE      LAST RUN
broken    failing 2d              v2.0.0         0 3 * * *     failed 2h ago
unlucky   failing 2h, paused      v2.0.0 Latest  0 3 * * *     failed 2h ago
acme      connected               v1.0.0         */15 * * * *  succeeded 2h ago
gone      not connected           v1.0.0         0 3 * * *     succeeded 30d ago
newcomer  paused, never connect…  v1.0.0         0 3 * * *     -

payroll:
NAME  STATE      RELEASE  SCHEDULE  LAST RUN
acme  connected  p1       -         -
`);
  });

  test.each([
    ["with colours", { FORCE_COLOR: "1" }],
    ["without colours", {}],
  ])("aligns names of wide, joined and combined characters, %s", async (_, env) => {
    const names = ["東京支社", "👩‍👩‍👧 family", "Cafe\u0301", `株式会社${"東京".repeat(20)}`];
    const tenants = names.map((name) => ({ integration: "billing", name }));
    await using other = await startWith({}, { integrations: [{ name: "billing" }], tenants });
    const { stdout } = await runCliProcess(other.emulator, ["status"], env); // whose streams decide about colours
    expect(stdout.includes("\u001b[2mpaused")).toBe("FORCE_COLOR" in env);
    expect(stripVTControlCharacters(stdout).split("\n").slice(-6, -1)).toEqual([
      "NAME                           STATE                 RELEASE  SCHEDULE  LAST RUN",
      "Cafe\u0301                           paused, never conne…  ?        -         -",
      "東京支社                       paused, never conne…  ?        -         -",
      "株式会社東京東京東京東京東京…  paused, never conne…  ?        -         -",
      "👩‍👩‍👧 family                      paused, never conne…  ?        -         -",
    ]);
  });

  test("shows the tenants of an integration for which a condition holds", async () => {
    const { stdout } = await run("--integration", "billing", "--where", "failing and not paused");
    expect(stdout).toMatch(/^1 tenant at/);
    expect(stdout.trim().split("\n").at(-1)).toMatch(/^broken +failing 2d/);
  });

  test("says what the platform does not show", async () => {
    await using other = await startWith({ absentField: "status" });
    const { stdout } = await runCli(other.emulator, ["status", "--integration", "billing"]);
    expect(stdout).toContain("0 connected, 0 never connected, 5 not known to be connected");
    expect(stdout).toMatch(/^acme +connection unknown +v1\.0\.0 .* -$/m);
  });

  test("knows the status words of the stack's config", async () => {
    await using stack = await standInStack(ownRunWords);
    await using other = await startWith({ statusWords: "processed" });
    expect((await runCli(other.emulator, ["status"])).stdout).toContain("2 paused, 0 failing\n");
    const { stdout } = await runCli(other.emulator, ["status", "--stack", "dev"], stack.env);
    expect(stdout).toContain("2 paused, 2 failing\n");
    expect(stdout).toMatch(/^broken +failing 2d .*failed 2h ago$/m);
    const acme = ["status", "--where", 'lastRun.outcome == "succeeded"', "--json", "--stack", "dev"];
    expect(JSON.parse((await runCli(other.emulator, acme, stack.env)).stdout).summary.tenants).toBe(2);
  });

  test("reads times of runs without an offset as UTC, in each time zone", async () => {
    await using other = await startWith({}, withoutOffsets(someTenants));
    const args = ["status", "--where", 'name == "broken"', "--json"];
    for (const TZ of ["America/New_York", "Asia/Tokyo"]) {
      const { stdout } = await runCliProcess(other.emulator, args, { TZ });
      expect(JSON.parse(stdout).tenants).toMatchObject([
        { failingSince: "2026-05-29T10:00:00.000Z", lastRun: { startedAt: "2026-05-31T22:00:00.000Z" } },
      ]);
    }
  });

  test("names the next step of a tenant that lacks a required dynamic choice, and who must do it", async () => {
    const config_schema = {
      properties: { account: { $ref: "#/definitions/accounts" } },
      required: ["account"],
      definitions: { accounts: { enum: ["placeholder"] } },
    };
    const releases = [{ id: 11, name: "v1", tag: "v1", config_schema }];
    const ledger = {
      name: "ledger",
      connectors: [{ name: "books", isGlobal: false }],
      default_release_id: 11,
      releases,
    };
    const known = { status: { dynamic_configs: { accounts: ["main"] } } };
    const connected = { status: { auth: { connected: true, connectors: [] } } };
    const tenants = [
      { name: "chosen", configs: { account: "main" } },
      { name: "choosing", ...known },
      { name: "ready", ...connected },
      { name: "new" },
    ];
    const seed = { integrations: [ledger], tenants: tenants.map((one) => ({ integration: "ledger", ...one })) };
    await using other = await startWith({}, seed);
    const { stdout } = await runCli(other.emulator, ["status"]);
    expect(stdout).toContain("\n  1 must be connected by their customers, before an init sync\n");
    expect(stdout).toContain("\n  1 must have an init sync: integration-platform sync --mode init\n");
    expect(stdout).toMatch(/^ready +.*needs init sync/m);
    const json = JSON.parse((await runCli(other.emulator, ["status", "--json"])).stdout);
    expect(json.summary.waiting).toEqual({ forCustomer: 1, forInitSync: 1 });
    const steps = json.tenants.map(({ name, nextStep }: { name: string; nextStep?: string }) => [name, nextStep]);
    expect(Object.fromEntries(steps)).toEqual({ new: "connect", ready: "init sync" });
  });

  test("writes JSON without values that look like secrets", async () => {
    const { stdout } = await run("--where", 'name == "acme" and integration == "billing"', "--json", "--metadata");
    expect(stdout).not.toContain("4711");
    expect(JSON.parse(stdout)).toMatchObject({
      asOf: "2026-06-01T00:00:00.000Z",
      summary: {
        tenants: 1,
        connected: 1,
        failing: 0,
        releases: [{ integration: "billing", tag: "v1.0.0", tenants: 1 }],
      },
      tenants: [{ id: 1, configs: { region: "eu", size: 200 }, metadata: { plan: "gold" }, lastRun: { id: 7 } }],
    });
  });

  test("reads the metadata only for what asks for them, and sends nothing but reads", async () => {
    const { stdout } = await run("--json");
    expect(JSON.parse(stdout).tenants[0]).not.toHaveProperty("metadata");
    const requests = emulator.requests();
    expect(requests.filter(({ path }) => path.endsWith("/metadata"))).toEqual([]);
    expect(requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("ends with 64 and the place of a mistake in the condition, before it reads anything", async () => {
    const { code, stdout, stderr } = await run("--where", 'metadata.plan = "gold"');
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toBe('error: --where: write == to compare\n  metadata.plan = "gold"\n                ^\n');
    expect(emulator.requests()).toEqual([]);
  });

  test.each([[["--metadata"]], [["--watch", "0"]], [["--watch", "soon"]]])("ends with 64 for %j", async (args) => {
    expect(await run(...args)).toMatchObject({ code: 64, stdout: "" });
  });

  test("ends with 1 for an integration that does not exist", async () => {
    const { code, stderr } = await run("--integration", "biling");
    expect(code).toBe(1);
    expect(stderr).toBe('error: there is no integration named "biling"; did you mean "billing"?\n');
  });

  test("--watch prints the tenants again and again, and ends with 0 by SIGINT", async () => {
    const env = {
      ...process.env,
      INTEGRATION_PLATFORM_BASE_URL: emulator.url,
      INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
    };
    const main = join(import.meta.dirname, "../../../src/cli/main.ts");
    const child = spawn(process.execPath, [main, "status", "--watch", "1", "--json"], { env });
    const lines: string[] = [];
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    let text = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      text += chunk;
      lines.splice(0, lines.length, ...text.split("\n").slice(0, -1));
      if (lines.length >= 2) child.kill("SIGINT");
    }
    expect(await ended).toBe(0);
    expect(lines.map((line) => JSON.parse(line).summary.tenants)).toEqual([6, 6]);
  });
});

async function startWith(variants: Parameters<Emulator["setVariants"]>[0], seed = someTenants) {
  const emulator = await createEmulator({ seed, clock: "manual", variants });
  return { emulator, [Symbol.asyncDispose]: () => emulator.close() };
}

/** The seed, whose runs have times such as `2026-05-31T22:00:00.000`. */
function withoutOffsets(seed: Seed): Seed {
  return JSON.parse(JSON.stringify(seed).replaceAll(/("(?:startTime|completionTime)":"[^"]+)Z"/g, '$1"'));
}
