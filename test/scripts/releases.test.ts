import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { releaseNotes } from "../../scripts/release-notes.ts";
import { endAfterTests } from "../end-after-tests.ts";

const repository = join(import.meta.dirname, "../..");
const read = (name: string) => readFile(join(repository, name), "utf8");
const { version, scripts } = JSON.parse(await read("package.json"));

describe("the version", () => {
  test("has a section in the changelog, and is that of the README's tarball", async () => {
    expect(releaseNotes(await read("CHANGELOG.md"), version)).toMatch(/\w/);
    expect(await read("README.md")).toContain(`pulumi-integration-platform-${version}.tgz`);
  });

  test("has the notes of its own section alone", () => {
    const changelog = "# p\n\n## 1.1.0\n\n- new\n\n## 1.0.0\n\n### Minor\n\n- old\n\n## 0.9.0\n";
    expect(releaseNotes(changelog, "1.1.0")).toBe("- new");
    expect(releaseNotes(changelog, "1.0.0")).toBe("### Minor\n\n- old");
    expect(releaseNotes(changelog, "0.9.0")).toBeUndefined();
    expect(releaseNotes(changelog, "1.0")).toBeUndefined();
  });

  test("is not released by another tag", async () => {
    const script = join(repository, "scripts/release-notes.ts");
    const run = (tag: string) => runCommand(process.execPath, [script, tag], { timeLimitSeconds: 20 });
    expect(await run(`v${version}`)).toMatchObject({ code: 0, stderr: "" });
    expect(await run("v9.9.9")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`tag v${version}`),
    });
  });
});

describe("changesets", () => {
  let clone: string;
  const run = (command: string, ...args: string[]): Promise<CommandOutcome> => {
    const env = { ...process.env, PATH: [join(clone, "node_modules/.bin"), process.env.PATH].join(delimiter) };
    return runCommand(command, args, { cwd: clone, env, timeLimitSeconds: 60 });
  };

  beforeEach(() =>
    endAfterTests(async (open) => {
      clone = await mkdtemp(join(tmpdir(), "integration-platform-changesets-"));
      open.defer(() => rm(clone, { recursive: true }));
      for (const name of [".changeset", ".npmrc", "package.json", "package-lock.json", "CHANGELOG.md", "README.md"]) {
        await cp(join(repository, name), join(clone, name), { recursive: true });
      }
      await symlink(join(repository, "node_modules"), join(clone, "node_modules"));
      const git = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
      await run("git", "init", "--quiet", "--initial-branch=main");
      await run("git", "add", ".changeset", "package.json");
      await run("git", ...git, "commit", "--quiet", "--message=a");
    }),
  );

  test("of this project can all be read", async () => {
    expect(await run("changeset", "status")).toMatchObject({ code: 0 });
  });

  test("become the next version, in every file that names it", async () => {
    await writeFile(
      join(clone, ".changeset/a.md"),
      '---\n"pulumi-integration-platform": major\n---\n\nTenants have labels.\n',
    );
    expect(await run(process.execPath, join(repository, "scripts/version.ts"))).toMatchObject({ code: 0, stderr: "" });

    const next = `${Number.parseInt(version, 10) + 1}.0.0`;
    const text = (name: string) => readFile(join(clone, name), "utf8");
    expect(JSON.parse(await text("package.json"))).toMatchObject({ version: next });
    expect(JSON.parse(await text("package-lock.json"))).toMatchObject({
      version: next,
      packages: { "": { version: next } },
    });
    expect(releaseNotes(await text("CHANGELOG.md"), next)).toContain("Tenants have labels.");
    expect(await text("README.md")).toContain(`pulumi-integration-platform-${next}.tgz`);
    expect(await readdir(join(clone, ".changeset"))).toEqual(["config.json"]);
  });
});

const stepSchema = z.union([
  z.strictObject({ uses: z.string(), with: z.record(z.string(), z.unknown()).optional() }),
  z.strictObject({ name: z.string(), env: z.record(z.string(), z.string()).optional(), run: z.string() }),
]);
const workflowSchema = z.looseObject({
  on: z.looseObject({}),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({ permissions: z.record(z.string(), z.string()).optional(), steps: z.array(stepSchema) }),
  ),
});

describe("the workflows", () => {
  const folder = ".github/workflows";
  const workflow = async (name: string) => workflowSchema.parse(parse(await read(`${folder}/${name}`)));

  test("may only read, except for the job that publishes", async () => {
    expect((await readdir(join(repository, folder))).sort()).toEqual(["ci.yaml", "release.yaml"]);
    const { on, permissions, jobs } = await workflow("release.yaml");
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(jobs.publish).toMatchObject({ needs: "check", permissions: { contents: "write", "id-token": "write" } });
    for (const allowed of [permissions, (await workflow("ci.yaml")).permissions])
      expect(allowed).toEqual({ contents: "read" });
    expect(jobs.check?.permissions).toBeUndefined();
  });

  test("run the whole check, and npm scripts that exist", async () => {
    const [ci, release] = [await workflow("ci.yaml"), await workflow("release.yaml")];
    const commands = (steps: readonly z.infer<typeof stepSchema>[] = []) =>
      steps.flatMap((step) => ("run" in step ? [step.run] : []));
    expect(commands(ci.jobs.check?.steps)).toEqual([".ci/run"]);
    expect(commands(release.jobs.check?.steps)).toContain(".ci/run");
    const all = Object.values(release.jobs).flatMap(({ steps }) => commands(steps));
    const called = all.flatMap((text) =>
      [...text.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)].map(([, name = ""]) => name),
    );
    expect(called).toEqual(["release-notes", "pack", "release-notes"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
  });

  test("publish the packed tarball of the tag's version, and create its release", async () => {
    const place = await mkdtemp(join(tmpdir(), "integration-platform-release-"));
    const log =
      'printf "%s" "$(basename "$0")" >> log; for arg in "$@"; do printf " <%s>" "$arg" >> log; done; echo >> log';
    for (const name of ["npm", "gh"]) {
      await writeFile(join(place, name), `#!/bin/sh\n${log}\n`);
      await chmod(join(place, name), 0o755);
    }
    await mkdir(join(place, "dist"));
    await writeFile(join(place, "dist/pulumi-resource-integration-platform-v1.2.3.tar.gz"), "the plugin"); // npm run pack
    const { jobs } = await workflow("release.yaml");
    const env = { ...process.env, PATH: [place, process.env.PATH].join(delimiter), GITHUB_REF_NAME: "v1.2.3" };
    for (const step of jobs.publish?.steps ?? []) {
      if ("run" in step) await promisify(execFile)("bash", ["-e", "-c", step.run], { cwd: place, env });
    }
    const tarball = "./dist/pulumi-integration-platform-1.2.3.tgz";
    const lines = (await readFile(join(place, "log"), "utf8")).trim().split("\n");
    const release = lines.pop() ?? "";
    expect(lines).toEqual([
      "npm <run> <pack>",
      `npm <publish> <${tarball}> <--provenance>`,
      "npm <run> <--silent> <release-notes> <--> <v1.2.3>",
    ]);
    expect(release).toMatch("gh <release> <create> <v1.2.3> <--verify-tag> <--notes-file> <notes.md>");
    const systems = ["linux", "darwin", "windows"].flatMap((name) => [`-${name}-amd64`, `-${name}-arm64`]);
    const plugins = ["", ...systems].map(
      (system) => `./dist/pulumi-resource-integration-platform-v1.2.3${system}.tar.gz`,
    );
    const files = [...release.matchAll(/<(\.\/dist\/[^>]+)>/g)].map(([, file]) => file);
    expect(files.toSorted()).toEqual([tarball, ...plugins].toSorted());
    await rm(place, { recursive: true });
  });
});
