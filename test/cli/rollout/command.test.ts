import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runCli } from "../run-cli.ts";

const fixtures = join(import.meta.dirname, "../../fixtures/states");
const dynamic = JSON.parse(await readFile(join(fixtures, "rollouts-dynamic.json"), "utf8"));
const native = JSON.parse(await readFile(join(fixtures, "rollouts-native.json"), "utf8"));

const stateSchema = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(z.looseObject({ type: z.string(), outputs: z.record(z.string(), z.unknown()).optional() })),
  }),
});
type State = z.infer<typeof stateSchema>;

/** A copy of a state whose rollout has other outputs. */
function changed(state: unknown, outputs: Record<string, unknown>, type = "FleetRollout"): State {
  const copy = stateSchema.parse(structuredClone(state));
  for (const resource of copy.deployment.resources) {
    if (resource.type.endsWith(type)) resource.outputs = { ...resource.outputs, ...outputs };
  }
  return copy;
}

function without(state: unknown, type: string): State {
  const { deployment, ...rest } = stateSchema.parse(state);
  return { ...rest, deployment: { resources: deployment.resources.filter((one) => !one.type.endsWith(type)) } };
}

/** A state with the resources of both. */
function joined(one: unknown, other: unknown): State {
  const states = [one, other].map((state) => stateSchema.parse(state));
  return { deployment: { resources: states.flatMap(({ deployment }) => deployment.resources) } };
}

/** A rollout of 5,000 tenants of which every tenth has failed. */
function withManyTenants(): State {
  const ids = Array.from({ length: 5000 }, (_, index) => 20_000 + index);
  const failed = ids.filter((id) => id % 10 === 0);
  const members = ids.map((id) => `customer-${id}=${id}`).join(" ");
  const [fleet] = stateSchema.parse(native).deployment.resources.filter(({ type }) => type.endsWith("TenantFleet"));
  const state = changed(native, { rolloutPlan: { ...Object(fleet?.outputs?.rolloutPlan), members } }, "TenantFleet");
  const list = (wanted: (id: number) => boolean) => ids.filter(wanted).join(" ");
  return changed(state, {
    phase: "failed",
    startedWaves: [
      {
        name: "50%",
        joined: "",
        open: "",
        proven: list((id) => id % 10 !== 0),
        skipped: "",
        left: "",
        failed: list((id) => id % 10 === 0),
        startedAt: "2026-11-22T12:00:00.000Z",
        outcome: "failed",
      },
    ],
    reasons: Object.fromEntries(failed.map((id) => [id, 'its sync ended with "error"'])),
  });
}

// Here a script stands in for `pulumi`.
describe("rollout", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rollout-command-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function runWith(args: readonly string[], script: string) {
    const config = JSON.stringify({ "integration-platform:baseUrl": { value: "https://platform.example.com/" } });
    const text = `#!/bin/sh\nif [ "$1" = config ]; then echo '${config}'; exit; fi\necho "$@" > "${folder}/args"\n${script}\n`;
    await writeFile(join(folder, "pulumi"), text);
    await chmod(join(folder, "pulumi"), 0o755);
    return runCli(undefined, ["rollout", ...args], { PATH: [folder, process.env.PATH].join(delimiter) }, folder);
  }

  async function run(args: readonly string[], state: unknown) {
    await writeFile(join(folder, "state"), JSON.stringify(state));
    return runWith(args, `cat "${folder}/state"`);
  }

  const status = (state: unknown, ...args: string[]) => run(["status", ...args], state);

  test("status shows the waves, and the tenants with their keys and reasons, in 80 columns", async () => {
    const { code, stdout, stderr } = await status(dynamic);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout).toBe(`FLEET    RELEASE  PHASE        MOVED    STATUS
billing  v1.3.0   progressing  4 of 10  wave 2 of 5 (early), 4 of 10 on v1.3.0,
                                        1 not proven yet

billing: release v1.3.0, as of 2026-11-22 13:46 UTC:
  WAVE      STATE        TENANTS  PROVEN  SKIPPED  LEFT  FAILED  OPEN
  1 canary  passed       1        1       0        0     0       0
  2 early   moving       3        0       0        1     1       1
  3 50%     not started  1
  4 most    not started  3
  5 100%    not started  2
  Not approved: wave most waits for approvals.v1.3.0.most
  Failed:
    beta1 (5002), wave early: its sync ended with "error" (trigger trigger-76,
      GET /v2/runs/triggers/trigger-76/status)
  Left unchanged:
    cobalt (5004), wave early: its configs.region does not fit the schema of
      release v1.3.0: must be one of eu, us
  Not proven yet:
    beta2 (5003), wave early: on the release since 2026-11-22 13:40, sync
      trigger-77
`);
  });

  test("status of the native provider shows the end, and what is left for a person", async () => {
    const { code, stdout } = await status(native);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^crm +v2\.0\.0 +done +2 of 2 +all waves have passed/m);
    expect(stdout).toMatch(/^ {2}2 100% +passed +1 +0 +1 +0 +0 +0$/m);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("Remaining step: the integration's default release is still 600.");
  });

  test("status fits 80 columns with long names, and shows no control characters", async () => {
    const long = "a-very-long-name-".repeat(12);
    const { stdout } = await status(
      changed(dynamic, {
        fleetName: long,
        label: `v1\u001b[31m\n${long}`,
        status: `${long} \u202e${long}`,
        remaining: `${long} ${long}`,
        reasons: { 5002: long, 5004: `\u001b[31m\n${long}` },
        tenants: 100_000,
        moved: 99_999,
      }),
    );
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toContain("99999 of 100000");
    for (const character of ["\u001b", "\u202e"]) expect(stdout).not.toContain(character);
  });

  test.each([
    ["done", 0],
    ["progressing", 2],
    ["waiting", 3],
    ["failed", 4],
  ])("status of a rollout that is %s ends with %i", async (phase, code) => {
    expect((await status(changed(native, { phase }))).code).toBe(code);
  });

  test.each([
    ["done", "done", 0],
    ["done", "progressing", 2],
    ["waiting", "progressing", 3],
    ["progressing", "failed", 4],
    ["failed", "waiting", 4],
  ])("of two rollouts, one %s and one %s, the worse counts", async (one, other, code) => {
    const both = joined(changed(dynamic, { phase: one }), changed(native, { phase: other }));
    const outcome = await status(both);
    expect(outcome.code).toBe(code);
    expect(outcome.stdout.indexOf("billing")).toBeLessThan(outcome.stdout.indexOf("crm"));
  });

  test("--fleet shows and judges one of them", async () => {
    const both = joined(changed(dynamic, { phase: "failed" }), native);
    const { code, stdout } = await status(both, "--fleet", "crm");
    expect(code).toBe(0);
    expect(stdout).not.toContain("billing");
  });

  test("the rollouts of two fleets of one name have the tenants of their own fleets, and --fleet takes a URN", async () => {
    const ofOther = (urn: string) => urn.replace("::tenants::", "::tenants::shop:index:Europe$");
    const other = stateSchema.parse(changed(dynamic, { phase: "failed", planNumber: 4 }));
    const [fleet, rollout] = ["TenantFleet", "FleetRollout"].map((type) => {
      const found = other.deployment.resources.find((one) => one.type.endsWith(type));
      return { ...found, type: String(found?.type), outputs: found?.outputs ?? {}, urn: ofOther(String(found?.urn)) };
    });
    const tenantIds = { "acme-of-europe": 5002 };
    const plan = { ...Object(fleet?.outputs.rolloutPlan), number: 4, members: "acme-of-europe=5002" };
    const both = joined(dynamic, {
      deployment: {
        resources: [
          { ...fleet, outputs: { ...fleet?.outputs, tenantIds, rolloutPlan: plan } },
          { ...rollout, propertyDependencies: { plan: [fleet?.urn] } },
        ],
      },
    });
    const { code, stdout } = await status(both);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^billing +v1\.3\.0 +progressing.*^billing +v1\.3\.0 +failed/ms);
    expect(stdout.replaceAll(/\n {4}/g, "")).toContain(`\n  ${rollout?.urn}\n`);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    for (const tenant of ["beta1 (5002), wave early", "acme-of-europe (5002), wave early"])
      expect(stdout).toContain(tenant);
    const history = await run(["history"], both);
    expect(history.stdout.replaceAll(/\n {4}/g, "")).toContain(`billing:\n  ${rollout?.urn}\nAT `);

    const one = await status(both, "--fleet", String(rollout?.urn));
    expect(one.code).toBe(4);
    expect(one.stdout).not.toContain("beta1");
    const html = await status(both, "--html");
    expect(html.stdout).toContain(`<code>${rollout?.urn}</code>`);
  });

  test("--fleet fails if it names none", async () => {
    expect(await status(dynamic, "--fleet", "biling")).toEqual({
      code: 1,
      stdout: "",
      stderr: 'error: the stack has no rollout of a fleet "biling"; did you mean "billing"?\n',
    });
  });

  test.each([
    ["no rollouts", without(without(dynamic, "FleetRollout"), "TenantFleet")],
    ["nothing", { version: 3, deployment: { manifest: {} } }],
  ])("a stack with %s is done", async (_, state) => {
    expect(await status(state)).toEqual({ code: 0, stdout: "The stack has no rollouts.\n", stderr: "" });
    expect(await run(["history"], state)).toMatchObject({ code: 0, stdout: "The stack has no rollouts.\n" });
  });

  test("a rollout whose first `up` did not come to it is in progress, with the URN that it is going to have", async () => {
    const { code, stdout } = await status(without(dynamic, "FleetRollout"), "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout).rollouts).toMatchObject([
      {
        urn: "urn:pulumi:production::tenants::pulumi-nodejs:dynamic/integration-platform:FleetRollout::billing",
        fleet: "billing",
        release: "v1.3.0",
        phase: "progressing",
        status: "planned: no `up` has started this rollout yet",
        tenants: 10,
        moved: 0,
      },
    ]);
  });

  test("a rollout that is done is in progress again once its fleet has another plan", async () => {
    const rolloutPlan = {
      ...{ number: 3, release: 602, label: "v2.1.0", attempt: 1, from: "601", members: "lima=6002 kilo=6001" },
      ...{ newcomers: "", joined: "", before: { most: "601", others: {} }, earlier: [] },
    };
    const { code, stdout } = await status(changed(native, { rolloutPlan }, "TenantFleet"));
    expect(code).toBe(2);
    expect(stdout).toMatch(/^crm +v2\.1\.0 +progressing +0 of 2 +planned: no `up` has/m);
    expect(stdout).toMatch(/^ {2}1 50% +not started +1$/m);
  });

  test("a rollout that a moved tag has planned waits again for an approval that another release got", async () => {
    const rollout = stateSchema.parse(dynamic).deployment.resources.find(({ type }) => type.endsWith("FleetRollout"));
    const fleet = stateSchema.parse(dynamic).deployment.resources.find(({ type }) => type.endsWith("TenantFleet"));
    const approvals = { "v1.3.0": { most: "CHG-7" } };
    const approvedReleases = [{ label: "v1.3.0", wave: "most", reference: "CHG-7", release: 503 }];
    const rolloutPlan = { ...Object(fleet?.outputs?.rolloutPlan), number: 4, release: 599 };
    for (const known of [{ approvedReleases }, {}]) {
      const approved = changed(dynamic, { ...rollout?.outputs, approvals, ...known });
      const { stdout: before } = await status(approved, "--json");
      expect(JSON.parse(before).rollouts[0].waves[3]).toMatchObject({ name: "most", waitsFor: ["wave 50%"] });
      const { stdout } = await status(changed(approved, { rolloutPlan }, "TenantFleet"));
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(
        "Not approved: wave most waits for approvals.v1.3.0.most: CHG-7 approves release 503, and the tag v1.3.0 has moved " +
          "to release 599 since.",
      );
    }
  });

  test("--json has the documented shape, and nothing else of the state", async () => {
    const { stdout } = await status(dynamic, "--json");
    const wave = z.strictObject({
      name: z.string(),
      state: z.enum(["passed", "failed", "moving", "soaking", "not started"]),
      ...{ tenants: z.int(), proven: z.int(), skipped: z.int(), left: z.int(), failed: z.int(), open: z.int() },
      ...{ startedAt: z.iso.datetime().optional(), provenAt: z.iso.datetime().optional() },
      waitsFor: z.array(z.string()),
    });
    const exception = z.strictObject({
      ...{ tenantId: z.int(), tenant: z.string().optional(), wave: z.string().optional() },
      outcome: z.enum(["failed", "left", "skipped", "open"]),
      ...{ reason: z.string().optional(), since: z.iso.datetime().optional(), trigger: z.string().optional() },
    });
    const rollout = z.strictObject({
      ...{ urn: z.string(), fleet: z.string(), release: z.string(), releaseId: z.int(), attempt: z.int() },
      direction: z.enum(["forward", "back"]),
      phase: z.enum(["progressing", "waiting", "failed", "done"]),
      ...{ status: z.string(), moved: z.int(), tenants: z.int(), onFailure: z.enum(["pause", "rollback"]) },
      ...{ isPaused: z.boolean(), waves: z.array(wave), exceptions: z.array(exception), remaining: z.string() },
      asOf: z.iso.datetime(),
    });
    const shape = z.strictObject({
      ...{ stack: z.literal("production"), project: z.literal("tenants"), createdAt: z.iso.datetime() },
      ...{ rollouts: z.array(rollout), unreadable: z.tuple([]) },
    });
    const [{ waves, exceptions }] = z.tuple([rollout]).parse(shape.parse(JSON.parse(stdout)).rollouts);
    expect(waves[3]).toMatchObject({ name: "most", waitsFor: ["wave 50%", "approvals.v1.3.0.most"] });
    expect(exceptions.map(({ tenant, outcome }) => [tenant, outcome])).toEqual([
      ["beta1", "failed"],
      ["cobalt", "left"],
      ["beta2", "open"],
    ]);
  });

  test("shows no settings of tenants", async () => {
    await status(dynamic, "--json", "status.json", "--html", "status.html");
    const files = await Promise.all(["status.json", "status.html"].map((name) => readFile(join(folder, name), "utf8")));
    const { stdout } = await status(dynamic);
    for (const text of [...files, stdout]) {
      expect(text).toContain("beta1");
      expect(text).not.toContain("config-of-acme");
    }
  });

  test("reports the tenants that the way back has left, which are in no wave", async () => {
    const { stdout } = await status(
      changed(dynamic, {
        direction: "back",
        phase: "failed",
        status: "failed in wave early; taken back: 3 tenants run again what ran before; 1 left as they are",
        startedWaves: [],
        pendingSyncs: {},
        reasons: { 5004: "it was changed by hand: it runs 504" },
      }),
    );
    expect(stdout).toContain("billing: release v1.3.0, rollback, as of");
    expect(stdout).toContain("Left unchanged:\n    cobalt (5004): it was changed by hand: it runs 504\n");
    expect(stdout).not.toContain("not started");
  });

  test("a setting that is a secret is not shown, and the rest is", async () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
    const { code, stdout } = await status(changed(dynamic, { approvals: secret, onFailure: secret }), "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout).rollouts).toMatchObject([{ fleet: "billing", onFailure: "pause" }]);
    expect(stdout).not.toContain("v1:abc");
  });

  test("ends with 1 and says what is wrong if a rollout's state does not fit, and still shows the others", async () => {
    const both = joined(changed(dynamic, { startedWaves: "none" }), changed(native, { phase: "failed" }));
    const { code, stdout, stderr } = await status(both);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: cannot read the state of urn:.*FleetRollout::billing: startedWaves .*\n$/);
    expect(stdout).toMatch(/^crm +v2\.0\.0 +failed/m);
  });

  test("shows 20 of many tenants, and all of them in the JSON", async () => {
    const many = withManyTenants();
    const { code, stdout } = await status(many, "--json", "many.json");
    expect(code).toBe(4);
    expect(stdout).toContain("    customer-20000 (20000), wave 50%: its sync ended with");
    expect(stdout).toContain("    ... and 480 more: --json has all\n");
    expect(stdout.split("\n").length).toBeLessThan(60);
    const { rollouts } = JSON.parse(await readFile(join(folder, "many.json"), "utf8"));
    expect(rollouts[0].exceptions).toHaveLength(500);
  });

  test("history shows the outcomes with their reasons", async () => {
    const { code, stdout } = await run(["history"], joined(dynamic, changed(native, { history: [] })));
    expect(code).toBe(0);
    expect(stdout).toBe(`billing:
AT                RELEASE  TRY  OUTCOME   PROVEN  SKIPPED  LEFT  FAILED
2026-10-11 09:00  v1.2.0   2    finished  7       2        0     0
2026-10-10 09:00  v1.2.0   1    failed    0       0        0     1
      wave canary: 1 tenant failed, and none may

crm: no rollout has ended yet.
`);
  });

  test("history --json has the outcomes as the state has them", async () => {
    const { stdout } = await run(["history", "--json", "--fleet", "crm"], joined(dynamic, native));
    expect(JSON.parse(stdout)).toEqual({
      stack: "production",
      project: "tenants",
      rollouts: [
        {
          urn: "urn:pulumi:production::tenants::integration-platform:index:FleetRollout::crm",
          fleet: "crm",
          history: [
            {
              ...{ release: 601, label: "v2.0.0", attempt: 1, outcome: "finished", at: "2026-11-22T13:02:00.000Z" },
              ...{ proven: 1, skipped: 1, left: 0, failed: 0 },
            },
          ],
        },
      ],
      unreadable: [],
    });
  });

  test("asks the Pulumi CLI for the state of the named stack, without secrets", async () => {
    await status(native, "--stack", "staging");
    expect(await readFile(join(folder, "args"), "utf8")).toBe("stack export --non-interactive --stack staging\n");
  });

  test("ends with 1 and the reason if the state cannot be read, and never shows what was printed", async () => {
    expect(await runWith(["status", "--stack", "dev"], "echo hidden; echo 'no stack named dev' >&2; exit 6")).toEqual({
      code: 1,
      stdout: "",
      stderr: 'error: cannot read the state of stack "dev":\n  no stack named dev\n',
    });
    const odd = await runWith(["history"], "echo '{\"hidden\": 1}'");
    expect(odd.code).toBe(1);
    expect(odd.stderr).toBe("error: `pulumi stack export` did not print the state of the selected stack\n");
  });

  test.each<[string, string[], RegExp]>([
    ["no subcommand", [], /^Usage: integration-platform rollout/],
    ["an unknown option", ["status", "--jsn"], /\(integration-platform rollout status --help shows all options\)/],
    ["two outputs on standard output", ["status", "--json", "--html", "-"], /only one of --json and --html/],
  ])("%s is a usage error and ends with 64", async (_, args, message) => {
    const { code, stdout, stderr } = await run(args, native);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("--help of both has an example and the exit codes", async () => {
    for (const command of ["status", "history"]) {
      const { code, stdout } = await run([command, "--help"], native);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Example/);
      expect(stdout).toMatch(/Exit codes:/);
    }
  });
});
