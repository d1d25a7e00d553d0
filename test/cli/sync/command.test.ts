import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEmulator, type EmulatorOptions, type Seed } from "../../../src/emulator/index.ts";
import { ownRunWords } from "../../own-run-words.ts";
import { runCli } from "../run-cli.ts";
import { standInStack } from "../stand-in-stack.ts";
import { someTenants } from "../tenants/some-tenants.ts";

async function start(options: EmulatorOptions = {}) {
  const emulator = await createEmulator({ seed: withRuns({ takes_seconds: 0.1 }), ...options });
  const requested = () => emulator.requests().flatMap(({ method, path }) => (method === "POST" ? [path] : []));
  return {
    emulator,
    requested,
    run: (...args: string[]) => runCli(emulator, ["sync", ...args]),
    runIn: ({ env, folder }: { env: NodeJS.ProcessEnv; folder: string }, ...args: string[]) =>
      runCli(emulator, ["sync", ...args, "--stack", "dev"], env, folder),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

function withRuns(runs: NonNullable<NonNullable<Seed["integrations"]>[number]["runs"]>): Seed {
  return { ...someTenants, integrations: someTenants.integrations?.map((one) => ({ ...one, runs })) ?? [] };
}

const failing = withRuns({ takes_seconds: 0.1, outcome: "fail" });

describe("sync of a tenant", () => {
  test("waits for its outcome and ends with 0", async () => {
    await using on = await start();
    const { code, stdout, stderr } = await on.run("broken");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^the normal sync of tenant broken \(2\) succeeded after \d+ s\n$/);
    expect(on.requested()).toEqual(["/v2/tenants/2/sync"]);
  });

  test("has a mode, and its outcome as JSON", async () => {
    await using on = await start();
    const { stdout } = await on.run("acme", "--integration", "billing", "--mode", "init", "--json");
    expect(JSON.parse(stdout)).toEqual({
      counts: { succeeded: 1 },
      syncs: [
        {
          tenant: { id: 1, name: "acme", integration: "billing" },
          mode: "init",
          outcome: "succeeded",
          status: "succeeded",
          trigger: expect.any(String),
          run: expect.any(Number),
          secondsWaited: expect.any(Number),
        },
      ],
    });
    const run = await (await fetch(`${on.emulator.url}/_emulator/runs?tenant_id=1&limit=1`)).json();
    expect(run).toMatchObject([{ mode: "init" }]);
  });

  test("--no-wait ends with 0 once it is requested", async () => {
    await using on = await start({ clock: "manual" });
    const { code, stdout } = await on.run("broken", "--no-wait");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^the normal sync of tenant broken \(2\) is requested \(trigger .+\)\n$/);
  });

  test("ends with 4 if the run fails", async () => {
    await using on = await start({ seed: failing });
    const { code, stdout } = await on.run("broken");
    expect(code).toBe(4);
    expect(stdout).toMatch(
      /broken \(2\) failed with the status "Failed \(Integration Issue\)" after \d+ s: the integration's code failed.*; see integration-platform logs 2 --run \d+\n$/,
    );
  });

  test("ends with 2 if there is no outcome in time", async () => {
    await using on = await start({ clock: "manual" });
    const { code, stdout } = await on.run("broken", "--timeout", "0.5");
    expect(code).toBe(2);
    expect(stdout).toContain("broken (2) has no known outcome: the platform returned no status before the timeout");
  });

  test("ends with 1, and requests nothing, if it is not connected", async () => {
    await using on = await start();
    const { code, stdout, stderr } = await on.run("gone");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "error: the normal sync of tenant gone (5) cannot be requested: it is not connected: " +
        'its connector "crm" has the status "disconnected"\n',
    );
    expect(on.requested()).toEqual([]);
  });

  test("is requested of a paused tenant; the platform decides", async () => {
    await using on = await start();
    expect(await on.run("unlucky")).toMatchObject({ code: 0 });
    on.emulator.setVariants({ pausedSync: "refuse" });
    const { code, stderr } = await on.run("unlucky");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: the normal sync of tenant unlucky \(3\) was refused: .*422.*is paused/);
  });
});

describe("sync of many tenants", () => {
  const all = ["--integration", "billing"];

  test("skips those that are not connected, and prints how the others ended", async () => {
    await using on = await start();
    const { code, stdout } = await on.run(...all);
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, 1)).toEqual(["Syncs: 3 succeeded, 2 skipped"]);
    expect(stdout).toContain("  gone (5) cannot be requested: it is not connected");
    expect(stdout).toContain("  newcomer (4) cannot be requested");
    expect(on.requested().sort()).toEqual([1, 2, 3].map((id) => `/v2/tenants/${id}/sync`));
  });

  test("is for the tenants for which a condition holds", async () => {
    await using on = await start();
    const { stdout } = await on.run("--integration", "all", "--where", 'metadata.plan == "gold"', "--no-wait");
    expect(stdout).toBe("Syncs: 2 requested\n");
    expect(on.requested().sort()).toEqual(["/v2/tenants/1/sync", "/v2/tenants/3/sync"]);
  });

  test("ends with 4 if runs fail, and with 1 if a request fails too", async () => {
    await using on = await start({ seed: failing });
    const failed = await on.run(...all);
    expect(failed.code).toBe(4);
    expect(failed.stdout).toContain("Syncs: 3 failed, 2 skipped");
    on.emulator.setVariants({ pausedSync: "refuse" });
    const refused = await on.run(...all);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("Syncs: 1 refused, 2 failed, 2 skipped");
    expect(refused.stdout).toContain("  unlucky (3) was refused");
  });

  test.each(["linked", "terse", "capitalized"] as const)(
    "knows who is connected where the words are %s",
    async (words) => {
      await using on = await start({ variants: { connectionWords: words } });
      const { code, stdout } = await on.run(...all, "--json");
      expect(code).toBe(0);
      expect(JSON.parse(stdout).counts).toEqual({ succeeded: 3, skipped: 2 });
    },
  );
});

describe("sync on a platform with status words of its own", () => {
  const variants = { statusWords: "processed" } as const;

  test("knows those of the stack's config", async () => {
    await using stack = await standInStack(ownRunWords);
    await using on = await start({ variants });
    const succeeded = await on.runIn(stack, "broken", "--json");
    expect(succeeded.code).toBe(0);
    expect(JSON.parse(succeeded.stdout).syncs).toMatchObject([{ outcome: "succeeded", status: "Processed" }]);
    await using other = await start({ seed: failing, variants });
    const { code, stdout } = await other.runIn(stack, "broken");
    expect(code).toBe(4);
    expect(stdout).toContain('broken (2) failed with the status "Broken"');
  });

  test("ends with 2 without them, and says where they can be declared", async () => {
    await using on = await start({ variants });
    const { code, stdout } = await on.run("broken");
    expect(code).toBe(2);
    expect(stdout).toContain(
      'it has ended with the status "Processed", which is not a known final status (if it is one, add it to ' +
        "integration-platform:succeededStatuses or failedStatuses in the stack's config, and name the stack with --stack)",
    );
  });
});

test.each([
  [[]],
  [["broken", "--where", "paused"]],
  [["broken", "--mode", "full"]],
  [["broken", "--timeout", "-1"]],
  [["--integration", "billing", "--where", "pausd"]],
])("sync ends with 64 for %j", async (args) => {
  await using on = await start();
  expect(await on.run(...args)).toMatchObject({ code: 64, stdout: "" });
  expect(on.requested()).toEqual([]);
});

describe("sync of those whose last run failed", () => {
  const failed = ["--where", "lastRun.failed", "--mode", "init"];
  const files = async (tenants: string) => {
    const stack = await standInStack({});
    await writeFile(join(stack.folder, "Pulumi.yaml"), "name: customers\nruntime: nodejs\n");
    await writeFile(join(stack.folder, "Pulumi.dev.yaml"), `config:\n  integration-platform:tenants: { ${tenants} }\n`);
    return stack;
  };

  test("writes the outcomes as a table, for the only integration of the stack's file", async () => {
    await using stack = await files("acme: { integration: billing }, broken: { integration: billing }");
    await using on = await start({ seed: failing });
    const { code, stdout } = await on.runIn(stack, ...failed, "--with-summary", "summary.md");
    expect({ code, title: stdout.split("\n")[0] }).toEqual({ code: 4, title: "Syncs: 2 failed" });
    expect(on.requested().sort()).toEqual(["/v2/tenants/2/sync", "/v2/tenants/3/sync"]);
    const runs = await (await fetch(`${on.emulator.url}/_emulator/runs?tenant_id=2&limit=1`)).json();
    expect(runs).toMatchObject([{ mode: "init" }]);
    const summary = await readFile(join(stack.folder, "summary.md"), "utf8");
    const status = "<code>Failed &#40;Integration Issue&#41;</code>";
    expect(summary.replaceAll(/\d+ s</g, "N s<").split("\n")).toEqual([
      "### <code>Syncs&#58; 2 failed</code>",
      "",
      "| Tenant | Sync | Outcome | Took |",
      "| --- | --- | --- | --- |",
      `| <code>broken</code> | <code>init</code> | ${status} | <code>N s</code> |`,
      `| <code>unlucky</code> | <code>init</code> | ${status} | <code>N s</code> |`,
      "",
      expect.stringMatching(/^- <code>broken &#40;2&#41; failed with the status .*<\/code>$/),
      expect.stringMatching(/^- <code>unlucky &#40;3&#41; failed/),
      "",
    ]);
  });

  test("needs the integration if the stack's file declares several, and for all tenants", async () => {
    await using stack = await files("acme: { integration: billing }, other: { integration: payroll }");
    await using on = await start();
    const several = await on.runIn(stack, ...failed);
    expect(several).toMatchObject({ code: 64, stderr: expect.stringContaining("(billing, payroll): name it with") });
    expect(await on.runIn(stack)).toMatchObject({ code: 64, stderr: expect.stringContaining("name a tenant") });
    expect(on.emulator.requests()).toEqual([]);
  });
});
