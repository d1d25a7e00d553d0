import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runCommandLine } from "../../../src/cli/root-command.ts";
import { createEmulator, type Emulator, type Seed } from "../../../src/emulator/index.ts";
import { eventually } from "../../eventually.ts";
import { ownRunWords } from "../../own-run-words.ts";
import { runCli } from "../run-cli.ts";
import { standInStack } from "../stand-in-stack.ts";
import { someTenants } from "../tenants/some-tenants.ts";
import { testShell } from "../test-shell.ts";

describe("logs", () => {
  let emulator: Emulator;
  const run = (...args: string[]) => runCli(emulator, ["logs", ...args]);
  const sync = () =>
    fetch(`${emulator.url}/v2/tenants/2/sync?mode=normal`, {
      method: "POST",
      headers: { "x-api-key": emulator.apiKey },
    });
  const runOfBroken = async () => {
    const shown = await fetch(`${emulator.url}/_emulator/runs?tenant_id=2&limit=1`);
    return z.array(z.object({ id: z.number() })).parse(await shown.json())[0]?.id;
  };

  beforeAll(async () => {
    emulator = await createEmulator({ seed: someTenants, clock: "manual" });
    await sync();
    await emulator.advance({ seconds: 60 });
  });
  afterAll(() => emulator.close());

  test.each([["broken"], ["2"]])("prints the log of the last run of tenant %s", async (tenant) => {
    const { code, stdout, stderr } = await run(tenant);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split(" ").slice(1).join(" ")),
    ).toEqual([
      expect.stringMatching(/^INFO run \d+ of tenant broken \(2\) started/),
      expect.stringMatching(/^INFO triggers/),
      "INFO reading contacts",
      expect.stringMatching(/^INFO run \d+ succeeded$/),
    ]);
  });

  test("writes the log as JSON", async () => {
    const id = await runOfBroken();
    const { stdout } = await run("broken", "--run", String(id), "--json");
    expect(JSON.parse(stdout)).toEqual({
      tenant: { id: 2, name: "broken", integration: "billing" },
      run: id,
      log: expect.stringContaining("INFO reading contacts\n"),
    });
  });

  test("--follow prints each line once, until the run has ended", async () => {
    await sync();
    await emulator.advance({ seconds: 1 });
    emulator.clearRequests();
    const following = run("broken", "--follow");
    const hasLogBeenRead = () => emulator.requests().some(({ path }) => path.endsWith("/log"));
    await eventually(() => expect(hasLogBeenRead()).toBe(true));
    await emulator.advance({ seconds: 60 });
    const { code, stdout, stderr } = await following;
    expect(code).toBe(0);
    expect(stdout.match(/ started, mode normal$/gm)).toHaveLength(1);
    expect(stdout).toMatch(/reading contacts\n.* succeeded\n$/);
    expect(stderr).toBe(`run ${await runOfBroken()} of broken (2) succeeded\n`);
  });

  test("--follow goes on as long as the platform shows no runs of the tenant", async () => {
    await sync();
    await emulator.advance({ seconds: 1 });
    emulator.clearRequests();
    emulator.setVariants({ absentField: "status" });
    const following = run("broken", "--run", String(await runOfBroken()), "--follow");
    const hasLogBeenRead = () => emulator.requests().some(({ path }) => path.endsWith("/log"));
    await eventually(() => expect(hasLogBeenRead()).toBe(true));
    await emulator.advance({ seconds: 60 });
    emulator.setVariants({ absentField: "none" });
    const { code, stdout, stderr } = await following;
    expect(code).toBe(0);
    expect(stdout).toMatch(/reading contacts\n.* succeeded\n$/);
    expect(stderr).toContain("does not show the runs of broken, so the end of run");
  });

  test("--follow knows the status words of the stack's config", async () => {
    await using stack = await standInStack(ownRunWords);
    emulator.setVariants({ statusWords: "processed" });
    const args = ["logs", "broken", "--follow"];
    const known = await runCli(emulator, [...args, "--stack", "dev"], stack.env);
    const unknown = await runCli(emulator, args);
    emulator.setVariants({ statusWords: "plain" });
    expect(known.stderr).toBe(`run ${await runOfBroken()} of broken (2) succeeded\n`);
    expect(unknown.stderr).toContain('has ended with the status "Processed"');
  });

  test.each([
    [["newcomer"], "the platform shows no run of tenant newcomer (4): it has not run yet"],
    [["brokn"], 'there is no live tenant with the name or id "brokn"; did you mean "broken"?'],
    [["acme"], '2 live tenants have the name "acme": 1 (billing), 6 (payroll); give its id, or its integration'],
    [["broken", "--run", "4711"], "run 4711 has no log, or there is no such run"],
  ])("ends with 1 for %j", async (args, reason) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`error: ${reason}`);
  });

  test("finds a tenant by its name and its integration", async () => {
    const { stderr } = await run("acme", "--integration", "payroll");
    expect(stderr).toContain("no run of tenant acme (6)");
  });

  test("says that the run cannot be known if the platform does not show it", async () => {
    emulator.setVariants({ absentField: "status", runsList: "missing" });
    const { code, stderr } = await run("broken");
    emulator.setVariants({ absentField: "none", runsList: "listed" });
    expect(code).toBe(1);
    expect(stderr).toContain("the platform does not show the runs of tenant broken (2). Give its id with --run");
  });

  test.each([[[]], [["broken", "--run", "last"]], [["broken", "--follow", "--json"]]])(
    "ends with 64 for %j",
    async (args) => {
      expect(await run(...args)).toMatchObject({ code: 64, stdout: "" });
    },
  );
});

describe.concurrent("logs --follow ends", () => {
  /** A platform on which tenant 2 has begun to run. */
  async function openRunning() {
    const emulator = await createEmulator({ seed: someTenants, clock: "manual" });
    const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
    const send = (method: string, path: string, body?: object) =>
      fetch(`${emulator.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await send("POST", "/v2/tenants/2/sync?mode=normal");
    await emulator.advance({ seconds: 1 });
    return { emulator, send, [Symbol.asyncDispose]: () => emulator.close() };
  }

  test("if the tenant is archived meanwhile", async () => {
    await using running = await openRunning();
    const { emulator, send } = running;
    emulator.clearRequests();
    const following = runCli(emulator, ["logs", "broken", "--follow"]);
    const hasLogBeenRead = () => emulator.requests().some(({ path }) => path.endsWith("/log"));
    await eventually(() => expect(hasLogBeenRead()).toBe(true));
    await send("DELETE", "/v2/tenants/2");
    await emulator.advance({ seconds: 60 });
    const { code, stderr } = await following;
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^run \d+ of broken \(2\) is no longer shown, because the tenant is archived: how it ends is not known\n$/,
    );
  });

  test("with the run, not while lists do not show it yet", async () => {
    await using running = await openRunning();
    const { emulator, send } = running;
    await emulator.advance({ seconds: 60 });
    emulator.setVariants({ visibility: "lagging" });
    await send("POST", "/v2/tenants/2/sync?mode=normal");
    await emulator.advance({ seconds: 1 });
    const [{ id }] = z
      .tuple([z.object({ id: z.number() })])
      .parse(await (await send("GET", "/_emulator/runs?tenant_id=2&limit=1")).json());
    emulator.clearRequests();
    const following = runCli(emulator, ["logs", "broken", "--run", String(id), "--follow"]);
    const lists = () => emulator.requests().filter(({ path }) => path.endsWith("/v2/tenants"));
    await eventually(() => expect(lists().length).toBeGreaterThan(2));
    await emulator.advance({ seconds: 60 });
    expect((await following).stdout).toMatch(/succeeded\n$/);
  });

  test("if the status shows a last run without an id, and no current one", async () => {
    await using running = await openRunning();
    const { emulator, send } = running;
    await emulator.advance({ seconds: 60 });
    const [{ id }] = z
      .tuple([z.object({ id: z.number() })])
      .parse(await (await send("GET", "/_emulator/runs?tenant_id=2&limit=1")).json());
    const status = { last_run: { status: "succeeded" }, current_run: {}, last_successful_run: {} };
    await send("PATCH", "/_emulator/tenants/2", { status });
    const { code, stderr } = await runCli(emulator, ["logs", "broken", "--run", String(id), "--follow"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `run ${id} of broken (2) has ended\n` });
  });
});

describe("credentials in a log", () => {
  const secret = (number: number) => `s3cr3t-${number}-value`;
  const names = ["DB_PASSWORD", "CRM_API_TOKEN", "STRIPE_KEY", "CLIENT_SECRET", "AUTHORIZATION"];
  const environment = Array.from({ length: 50 }, (_, number) => {
    const isSecret = number % 2 === 0;
    return isSecret
      ? `${names[number % names.length]}_${number}=${secret(number)} x`
      : `PLAIN_${number}=shown-${number}`;
  });
  const log = [
    ...environment,
    `environ({'ACCESS_TOKEN': '${secret(91)}', 'HOME': '/root'})`,
    `{"headers":{"Authorization":"Bearer ${secret(92)}"},"url":"postgres://u:${secret(93)}@db/x"}`,
    "no name beside it: plain-but-declared-pin",
  ];
  const start = () => {
    const [integration, ...others] = someTenants.integrations ?? [];
    const tenants = someTenants.tenants?.map((one) =>
      one.id === 2 ? { ...one, configs: { pin: "plain-but-declared-pin" } } : one,
    );
    return createEmulator({
      seed: {
        ...someTenants,
        tenants,
        integrations: [{ ...integration, runs: { takes_seconds: 0, log } }, ...others],
      } as Seed,
      clock: "manual",
    });
  };
  const afterSync = async (emulator: Emulator) => {
    const headers = { "x-api-key": emulator.apiKey };
    await fetch(`${emulator.url}/v2/tenants/2/sync?mode=normal`, { method: "POST", headers });
    await emulator.advance({ seconds: 5 });
  };

  test("are hidden: an environment of fifty variables, headers, URLs, and secret configs wherever they stand", async () => {
    const emulator = await start();
    await afterSync(emulator);
    for (const args of [[], ["--json"], ["--follow"]]) {
      const { code, stdout } = await runCli(emulator, ["logs", "broken", ...args]);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/s3cr3t|plain-but-declared/);
      for (let number = 1; number < 50; number += 2) expect(stdout).toContain(`PLAIN_${number}=shown-${number}`);
      expect(stdout).toContain("no name beside it: [secret]");
    }
    await emulator.close();
  });

  test("are shown by --raw on a terminal only, after a warning", async () => {
    const emulator = await start();
    await afterSync(emulator);
    const refused = await runCli(emulator, ["logs", "broken", "--raw"]);
    expect(refused).toMatchObject({ code: 64, stdout: "" });
    expect(refused.stderr).toContain("--raw shows credentials, so it needs a terminal");
    const { shell, stdout, stderr } = testShell({
      env: { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey },
    });
    Object.assign(shell.stdout, { isTTY: true });
    await runCommandLine(shell, ["logs", "broken", "--raw"]);
    expect(stdout()).toContain(secret(0));
    expect(stderr()).toContain("with the credentials in it");
    await emulator.close();
  });
});

test("the newest failed run, and the run of a trigger, are found in the list of runs", async () => {
  const [integration, ...others] = someTenants.integrations ?? [];
  const runs = { takes_seconds: 1, outcome: ["fail", "succeed"], failed: "Refresh" };
  const emulator = await createEmulator({
    seed: { ...someTenants, integrations: [{ ...integration, runs }, ...others] } as Seed,
    clock: "manual",
  });
  const triggers: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    const headers = { "x-api-key": emulator.apiKey };
    const answer = await fetch(`${emulator.url}/v2/tenants/2/sync?mode=normal`, { method: "POST", headers });
    triggers.push(z.object({ trigger_id: z.string() }).parse(await answer.json()).trigger_id);
    await emulator.advance({ seconds: 60 });
  }
  expect((await runCli(emulator, ["logs", "broken"])).stdout).toContain("succeeded");
  expect((await runCli(emulator, ["logs", "broken", "--failed"])).stdout).toContain("ERROR");
  expect((await runCli(emulator, ["logs", "broken", "--trigger", triggers[0] ?? ""])).stdout).toContain("ERROR");
  const listed = await runCli(emulator, ["runs", "broken"]);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/^broken \(2\): 1 of the last 2 runs failed$/m);
  expect(listed.stdout).toMatch(/^RUN +MODE +SOURCE +BEGAN \(UTC\) +TOOK +OUTCOME$/m);
  expect(listed.stdout).toMatch(/^7002 +normal +api +2026-06-01 00:\d\d +1s +succeeded$/m);
  expect(listed.stdout).toMatch(/^7001 .*Failed \(Refresh\)$/m);
  expect(listed.stdout).toContain(
    "Failed (Refresh): a connection could not be refreshed: the customer must reconnect it",
  );
  const json = JSON.parse((await runCli(emulator, ["runs", "broken", "--json"])).stdout);
  expect(json).toMatchObject({
    tenant: { id: 2 },
    recentRuns: { runs: 2, failed: 1 },
    runs: [
      {
        id: 7002,
        mode: "normal",
        sources: ["api"],
        triggers: 1,
        outcome: "succeeded",
        durationSeconds: 1,
        hanging: false,
      },
      { id: 7001, outcome: "failed", status: "Failed (Refresh)" },
    ],
  });
  expect((await runCli(emulator, ["status"])).stdout).toMatch(/1 of the last 2 runs failed[\s\S]*broken .* 1\/2 /);
  emulator.setVariants({ runsList: "missing" });
  const missing = await runCli(emulator, ["runs", "broken"]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("does not list runs (GET /v2/tenants/2/runs)");
  expect((await runCli(emulator, ["status"])).stdout).not.toContain("runs failed");
  await emulator.close();
});
