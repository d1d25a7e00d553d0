import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "../../engine/run-command.ts";
import { runCli } from "../cli/run-cli.ts";

const repository = join(import.meta.dirname, "../..");
const example = join(repository, "examples/customers");
const guide = await readFile(join(repository, "docs/guides/customers.md"), "utf8");

/** The code blocks of the guide in a language. */
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, text = ""]) => text);

const refusal =
  "fleets.billing.tenants.acme.release: cannot be declared in customers: tenantsFrom allows only the fields groups, schedule, metadata and configs.region there";

describe("examples/customers", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "customers-"));
    await cp(example, folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const validate = (...args: string[]) => runCli(undefined, ["validate", ...args], {}, folder);

  test("has no problems, nor has one of its files", async () => {
    expect(await validate()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No problems in Pulumi\.dev/) });
    expect(await validate("customers/cedar.yaml", "technical/cedar.yaml")).toMatchObject({ code: 0 });
  });

  test("refuses a field of the other team, at its line", async () => {
    const text = await readFile(join(folder, "customers/acme.yaml"), "utf8");
    await writeFile(join(folder, "customers/acme.yaml"), `${text}release: { tag: v1.1.0 }\n`);
    expect((await validate("customers/acme.yaml")).stdout).toBe(
      `customers/acme.yaml:4:1: ${refusal}\n1 problem in customers/acme.yaml.\n`,
    );
  });

  test("names schemas for editors that exist", async () => {
    const names = (await readdir(example, { recursive: true })).filter((name) => /\/.*\.yaml$|^Pulumi\.dev/.test(name));
    expect(names).toHaveLength(7);
    for (const name of names) {
      const text = await readFile(join(example, name), "utf8");
      const [, path = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      const schema = relative(repository, join(example, name, "..", path));
      expect(schema).toBe(`schemas/${name === "Pulumi.dev.yaml" ? "stack" : "tenant"}.schema.json`);
      expect(JSON.parse(await readFile(join(repository, schema), "utf8"))).toHaveProperty("$defs");
    }
  });

  test("has an owner for each path, as the guide says", async () => {
    const owners = (await readFile(join(example, "CODEOWNERS"), "utf8"))
      .split("\n")
      .filter((line) => /^[^#]/.test(line));
    const inGuide = blocks("codeowners")
      .join("")
      .split("\n")
      .filter((line) => line.includes(" @"));
    expect(inGuide).toHaveLength(3);
    expect(owners.slice(0, 3)).toEqual(inGuide);
    const { fleets } = Object.fromEntries(
      Object.entries(parse(await readFile(join(example, "Pulumi.dev.yaml"), "utf8")).config).map(([key, value]) => [
        key.replace("integration-platform:", ""),
        Object(value),
      ]),
    );
    for (const { path } of fleets.billing.tenantsFrom) expect(owners.join("\n")).toContain(`\n/${path}/ @`);
  });

  test("has what the guide shows of the stack's file", async () => {
    const [shown = "", ...others] = blocks("yaml");
    expect(others).toEqual([]);
    expect(await readFile(join(example, "Pulumi.dev.yaml"), "utf8")).toContain(shown);
  });

  test("the guide's command checks what a branch has changed, and nothing else", async () => {
    const command = blocks("sh").find((block) => block.startsWith("git diff"));
    const git = `git -c user.name=a -c user.email=a@example.com`;
    // Here a program stands in for npm: it runs the command of this repository.
    const npm = `#!/bin/sh\nshift 4\nexec "${process.execPath}" "${join(repository, "src/cli/main.ts")}" "$@"\n`;
    const run = (script: string) =>
      runCommand("sh", ["-c", script], {
        cwd: folder,
        env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, GITHUB_WORKSPACE: folder },
        timeLimitSeconds: 60,
      });
    await run(`git init -q && git add -A && ${git} commit -qm start && git branch -f origin/main && mkdir bin`);
    await writeFile(join(folder, "bin/npm"), npm);
    await chmod(join(folder, "bin/npm"), 0o755);
    expect(await run(String(command))).toMatchObject({ code: 0, stdout: "" });

    await writeFile(join(folder, "customers/acme.yaml"), "release: { tag: v1.1.0 }\n");
    await writeFile(join(folder, "customers/new one.yaml"), "groups: gld\nname: new-one\n");
    await rm(join(folder, "customers/dune.yaml"));
    await run(`git add -A customers && ${git} commit -qm change`);
    const { code, stdout } = await run(String(command));
    expect(code).toBe(123);
    expect(stdout.split("\n")).toEqual([
      `::error file=customers/acme.yaml,line=1,col=1::${refusal}`,
      '::error file=customers/new one.yaml,line=1,col=1::fleets.billing.tenants.new one.groups: is not a group of this fleet; did you mean "gold"?',
      expect.stringMatching(
        /^::error file=customers\/new one\.yaml,line=2,col=1::.*\.name: cannot be declared in customers/,
      ),
      "3 problems in customers/acme.yaml, customers/new one.yaml.",
      "",
    ]);
  });
});
