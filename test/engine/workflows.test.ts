import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { developmentPassphrase } from "../../engine/backend-environment.ts";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const repository = join(import.meta.dirname, "../..");
const folder = join(repository, "examples/ci");

const environmentSchema = z.record(z.string(), z.coerce.string()).default({});
const stepSchema = z.union([
  z.strictObject({ uses: z.string(), with: z.record(z.string(), z.unknown()).optional() }),
  z.strictObject({ name: z.string(), id: z.string().optional(), env: environmentSchema, run: z.string() }),
]);
const jobSchema = z.looseObject({ env: environmentSchema, steps: z.array(stepSchema) });
const workflowSchema = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), z.looseObject({})),
});

const ofStack = ["$", "{{ inputs.stack }}"].join("");

/** Actions that run only on GitHub. */
const notRunHere = ["actions/checkout@v5", "actions/setup-node@v5", "actions/upload-artifact@v4"];

/** Replaces GitHub's CLI: logs its arguments and prints the response that the test wrote. */
const gh = `#!/bin/sh
{ printf 'gh'; for arg in "$@"; do printf ' <%s>' "$arg"; done; echo; } >> "$RUNNER_TEMP/gh.log"
for arg in "$@"; do case "$arg" in *=@*|*.md) cat "\${arg#*=@}" >> "$RUNNER_TEMP/gh.bodies";; esac; done
case "$*" in *--jq*) cat "$RUNNER_TEMP/gh.answer";; esac
`;

describe("the workflows, step by step, on a copy of the project", () => {
  let platform: LivePlatform;
  let clone: string;
  const temporary = () => join(clone, "runner-temp");
  const read = (name: string) => readFile(join(temporary(), name), "utf8").catch(() => "");
  const answer = (text: string) => writeFile(join(temporary(), "gh.answer"), text);

  beforeAll(async () => {
    platform = await openPlatform();
    clone = await mkdtemp(join(tmpdir(), "integration-platform-workflows-"));
    const { stdout } = await promisify(execFile)("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository });
    for (const file of stdout.trim().split("\n")) await cp(join(repository, file), join(clone, file));
    await symlink(join(repository, "node_modules"), join(clone, "node_modules"));
    for (const name of ["runner-temp/bin", "state"]) await mkdir(join(clone, name), { recursive: true });
    await writeFile(join(temporary(), "bin/gh"), gh);
    await chmod(join(temporary(), "bin/gh"), 0o755);
    await answer("");
    const made = await bash("npm run --silent pulumi -- stack init sandbox", jobEnvironment("sandbox"));
    expect(made.stderr + made.stdout).toContain("Created stack");
  });
  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
    await rm(clone, { recursive: true, force: true, maxRetries: 3 });
  });

  test("are all tested here, set their own permissions, and have only steps that run here or are listed", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).sort();
    expect(names).toEqual(["drift.yaml", "preview.yaml", "up-stack.yaml", "up.yaml"]);
    const workflows = await Promise.all(names.map(workflow));
    expect(workflows.map(({ permissions }) => permissions)).toEqual([
      { contents: "read", issues: "write" },
      { contents: "read", "pull-requests": "write" },
      { contents: "read" },
      { contents: "read" },
    ]);
    const used = await Promise.all(
      names.slice(0, 3).map(async (name) => (await steps(name)).flatMap((step) => ("uses" in step ? [step.uses] : []))),
    );
    expect([...new Set(used.flat())].sort()).toEqual([...notRunHere].sort());
  });

  test("bring up the sandbox before production, each in its own environment", async () => {
    const { jobs } = await workflow("up.yaml");
    const called = { uses: "./.github/workflows/up-stack.yaml", secrets: "inherit" };
    expect(jobs).toEqual({
      sandbox: { ...called, with: { stack: "sandbox" } },
      production: { ...called, with: { stack: "production" }, needs: "sandbox" },
    });
    expect((await workflow("up-stack.yaml")).jobs.up).toMatchObject({
      environment: ofStack,
      concurrency: { group: `up-${ofStack}`, "cancel-in-progress": false },
    });
  });

  test("write the preview of a pull request to one comment, which later runs edit", async () => {
    const first = await run("preview.yaml");
    expect(first.failed).toBeUndefined();
    const comments = "repos/team/tenants/issues/7/comments";
    expect(await read("gh.log")).toContain(`gh <api> <${comments}> <--field> <body=@comment.md>`);
    const comment = await read("gh.bodies");
    expect(comment).toMatch(/^<!-- preview of sandbox -->\n### Drift of stack <code>sandbox<\/code>/);
    expect(comment).toContain("**Declared, but not applied**");
    expect(comment).toMatch(/^ {4}.*\+ pulumi-nodejs:dynamic\/integration-platform:Tenant/m);
    expect(comment).toBe(await read("summary.md"));
    expect(platform.writes()).toEqual([]);

    await answer("4711\n4712\n");
    expect((await run("preview.yaml")).failed).toBeUndefined();
    expect(await read("gh.log")).toContain(
      "gh <api> <--method> <PATCH> <repos/team/tenants/issues/comments/4711> <--field> <body=@comment.md>",
    );
  });

  test("bring up a stack and check that nothing differs", async () => {
    const { failed } = await run("up-stack.yaml");
    expect(failed).toBeUndefined();
    expect(await platform.tenants()).toHaveLength(12);
    expect(await read("summary.md")).toContain("All 12 tenants match their declarations.");
  });

  test("close the open issue if there is no drift", async () => {
    await answer("12\n");
    expect((await run("drift.yaml")).failed).toBeUndefined();
    expect(await read("gh.log")).toContain("gh <issue> <close> <12>");
  });

  test("create or edit an issue and fail if there is drift", async () => {
    await platform.change("acme", { paused: true });
    await answer("");
    const { failed } = await run("drift.yaml");
    expect(failed).toMatchObject({ name: "Fail if the stack has drifted", outcome: { code: 2 } });
    expect(await read("gh.log")).toContain("gh <issue> <create> <--title> <Drift of sandbox> <--body-file> <drift.md>");
    for (const text of [await read("gh.bodies"), await read("summary.md")]) {
      expect(text).toContain("<code>paused</code> | <code>false</code> | <code>true</code>");
    }

    await answer("13\n");
    expect((await run("drift.yaml")).failed?.name).toBe("Fail if the stack has drifted");
    expect(await read("gh.log")).toContain("gh <issue> <edit> <13> <--body-file> <drift.md>");
  });

  test("fail without changing an issue if the platform cannot be read", async () => {
    platform.emulator.fault({ kind: "status", status: 503, times: 1000, match: { path: "^/v2/" } });
    const { failed } = await run("drift.yaml");
    platform.emulator.clearFaults();
    expect(failed).toMatchObject({ name: "Drift", outcome: { code: 1 } });
    expect(await read("gh.log")).toBe("");
  });

  /** Runs the commands of a workflow's job until one fails, as GitHub does. */
  async function run(name: string): Promise<{ failed?: { name: string; outcome: CommandOutcome } }> {
    for (const file of ["gh.log", "gh.bodies", "summary.md", "output"]) await writeFile(join(temporary(), file), "");
    const { env } = await job(name);
    const values = { ...expressions };
    for (const step of await steps(name)) {
      if ("uses" in step) continue;
      const own = [...Object.entries(env), ...Object.entries(step.env)].map(([key, text]) => [
        key,
        filled(text, values),
      ]);
      const outcome = await bash(step.run, { ...jobEnvironment("sandbox"), ...Object.fromEntries(own) });
      if (outcome.code !== 0) return { failed: { name: step.name, outcome } };
      for (const line of (await read("output")).trim().split("\n")) {
        const [key, value = ""] = line.split("=");
        if (key) values[`steps.${step.id}.outputs.${key}`] = value;
      }
    }
    return {};
  }

  /** The environment of a step besides the variables that the workflow sets. */
  function jobEnvironment(stack: string): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(PULUMI|INTEGRATION_PLATFORM|GITHUB)_/.test(name),
    );
    return {
      ...Object.fromEntries(inherited),
      STACK: stack,
      INTEGRATION_PLATFORM_BASE_URL: platform.emulator.url, // the port in the stack's file may be in use
      INTEGRATION_PLATFORM_API_KEY: platform.emulator.apiKey,
      PULUMI_BACKEND_URL: pathToFileURL(join(clone, "state")).href,
      PULUMI_CONFIG_PASSPHRASE: developmentPassphrase,
      PULUMI_HOME: join(clone, ".pulumi-home"),
      PATH: [join(temporary(), "bin"), process.env.PATH].join(delimiter),
      RUNNER_TEMP: temporary(),
      GITHUB_REPOSITORY: "team/tenants",
      GITHUB_STEP_SUMMARY: join(temporary(), "summary.md"),
      GITHUB_OUTPUT: join(temporary(), "output"),
    };
  }

  /** Runs a command as GitHub runs a step whose shell is bash. */
  function bash(script: string, env: NodeJS.ProcessEnv): Promise<CommandOutcome> {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    return runCommand("bash", args, { cwd: clone, env, timeLimitSeconds: 200 });
  }

  const expressions: Record<string, string> = {
    get "vars.PULUMI_BACKEND_URL"() {
      return jobEnvironment("sandbox").PULUMI_BACKEND_URL ?? "";
    },
    get "secrets.INTEGRATION_PLATFORM_API_KEY"() {
      return platform.emulator.apiKey;
    },
    "secrets.PULUMI_CONFIG_PASSPHRASE": developmentPassphrase,
    "matrix.stack": "sandbox",
    "inputs.stack": "sandbox",
    "github.token": "token",
    "github.repository": "team/tenants",
    "github.event.pull_request.number": "7",
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

/** Replaces the expressions in a string. Throws if one is unknown. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ *(.*?) *\}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`nothing is known of \${{ ${expression} }}`);
    return value;
  });
}
