import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { writeChecksums } from "../../scripts/release/checksums.ts";
import { releaseNotes } from "../../scripts/release/release-notes.ts";
import { endAfterTests } from "../end-after-tests.ts";

const repository = join(import.meta.dirname, "../..");
const read = (name: string) => readFile(join(repository, name), "utf8");
const { version, scripts } = JSON.parse(await read("package.json"));
const run = (script: string, ...args: string[]) =>
  runCommand(process.execPath, [join(repository, "scripts/release", script), ...args], { timeLimitSeconds: 20 });

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
    expect(await run("release-notes.ts", `v${version}`)).toMatchObject({ code: 0, stderr: "" });
    const folder = await mkdtemp(join(tmpdir(), "integration-platform-release-"));
    await writeFile(join(folder, "kept"), "");
    for (const outcome of [
      await run("release-notes.ts", "v9.9.9"),
      await run("main.ts", "--tag", "v9.9.9", "--folder", folder),
    ]) {
      expect(outcome).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(`tag v${version}`) });
    }
    expect(await readdir(folder)).toEqual(["kept"]);
    await rm(folder, { recursive: true });
  });

  test.each([[[]], [["--dry-run", "--tag", `v${version}`]], [["--dryrun"]]])(
    "is not released by a command line that is wrong: %j",
    async (args) => {
      const { code, stdout, stderr } = await run("main.ts", ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("Usage: npm run release -- --dry-run | --tag v1.2.3");
    },
  );
});

describe("changesets", () => {
  let clone: string;
  const runInClone = (command: string, ...args: string[]): Promise<CommandOutcome> => {
    const env = { ...process.env, PATH: [join(clone, "node_modules/.bin"), process.env.PATH].join(delimiter) };
    return runCommand(command, args, { cwd: clone, env, timeLimitSeconds: 60 });
  };
  const text = (name: string) => readFile(join(clone, name), "utf8");

  beforeEach(() =>
    endAfterTests(async (open) => {
      clone = await mkdtemp(join(tmpdir(), "integration-platform-changesets-"));
      open.defer(() => rm(clone, { recursive: true }));
      const manifests = ["package.json", "package-lock.json", "src/plugin/schema.json"];
      for (const name of [".changeset", ".npmrc", ...manifests, "CHANGELOG.md", "README.md", "docs/guides/native.md"]) {
        await cp(join(repository, name), join(clone, name), { recursive: true });
      }
      await symlink(join(repository, "node_modules"), join(clone, "node_modules"));
      const git = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
      await runInClone("git", "init", "--quiet", "--initial-branch=main");
      await runInClone("git", "add", ".changeset", "package.json");
      await runInClone("git", ...git, "commit", "--quiet", "--message=a");
    }),
  );

  test("of this project can all be read", async () => {
    expect(await runInClone("changeset", "status")).toMatchObject({ code: 0 });
  });

  test("become the next version, in every file that names it", async () => {
    await writeFile(
      join(clone, ".changeset/a.md"),
      '---\n"pulumi-integration-platform": major\n---\n\nTenants have labels.\n',
    );
    const script = join(repository, "scripts/release/version.ts");
    expect(await runInClone(process.execPath, script)).toMatchObject({ code: 0, stderr: "" });

    const next = `${Number.parseInt(version, 10) + 1}.0.0`;
    expect(JSON.parse(await text("package.json"))).toMatchObject({ version: next });
    expect(JSON.parse(await text("package-lock.json"))).toMatchObject({
      version: next,
      packages: { "": { version: next } },
    });
    expect(releaseNotes(await text("CHANGELOG.md"), next)).toContain("Tenants have labels.");
    expect(await text("README.md")).toContain(`pulumi-integration-platform-${next}.tgz`);
    const archive = `pulumi-resource-integration-platform-v${next}.tar.gz`;
    expect(await text("docs/guides/native.md")).toContain(`resource integration-platform ${next} \\\n`);
    expect(await text("docs/guides/native.md")).toContain(`/dist/${archive}`);
    expect(await text("src/plugin/schema.json")).toBe(
      (await read("src/plugin/schema.json")).replace(`"version": "${version}"`, `"version": "${next}"`),
    );
    expect(await readdir(join(clone, ".changeset"))).toEqual(["config.json"]);
  });
});

const stepSchema = z.union([
  z.strictObject({
    name: z.string().optional(),
    id: z.string().optional(),
    uses: z.string(),
    with: z.unknown().optional(),
  }),
  z.strictObject({ name: z.string(), env: z.record(z.string(), z.string()).optional(), run: z.string() }),
]);
const permissionsSchema = z.record(z.string(), z.string());
const workflowSchema = z.looseObject({
  on: z.looseObject({}),
  permissions: permissionsSchema,
  jobs: z.record(
    z.string(),
    z.looseObject({ permissions: permissionsSchema.optional(), steps: z.array(stepSchema).min(1) }),
  ),
});

describe("the workflows", () => {
  const folder = ".github/workflows";
  const workflow = async (name: string) => workflowSchema.parse(parse(await read(`${folder}/${name}`)));
  const commands = (steps: readonly z.infer<typeof stepSchema>[] = []) =>
    steps.flatMap((step) => ("run" in step ? [step.run] : []));

  test("may only read, except for the jobs that publish", async () => {
    const names = (await readdir(join(repository, folder))).sort();
    const writing: [string, unknown][] = [];
    for (const name of names) {
      const { permissions, jobs } = await workflow(name);
      expect(permissions, name).toEqual({ contents: "read" });
      for (const [job, { permissions: own }] of Object.entries(jobs)) {
        if (own !== undefined) writing.push([`${name} ${job}`, own]);
      }
    }
    expect(names).toEqual(["ci.yaml", "release.yaml", "site.yaml"]);
    expect(Object.fromEntries(writing)).toEqual({
      "release.yaml publish": { contents: "write", "id-token": "write" },
      "site.yaml publish": { pages: "write", "id-token": "write" },
    });
  });

  test("run the whole check, and npm scripts that exist", async () => {
    const [ci, release] = [await workflow("ci.yaml"), await workflow("release.yaml")];
    expect(commands(ci.jobs.check?.steps)).toEqual([".ci/run"]);
    expect(commands(release.jobs.check?.steps)).toContain(".ci/run");
    const all = Object.values(release.jobs).flatMap(({ steps }) => commands(steps));
    const called = all.flatMap((line) =>
      [...line.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)].map(([, name = ""]) => name),
    );
    expect(called).toEqual(["release-notes", "release"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
  });

  test("publish a release only by its tag, after the check, without the code of this repository", async () => {
    const { on, jobs } = await workflow("release.yaml");
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(jobs.publish).toMatchObject({ needs: ["check", "make"], environment: "npm" });
    const used = jobs.publish?.steps.flatMap((step) => ("uses" in step ? [step.uses.replace(/@.*/, "")] : []));
    expect(used).toEqual(["actions/setup-node", "actions/download-artifact"]);
    expect(commands(jobs.publish?.steps).join("\n")).not.toMatch(/npm (run|ci|install|exec)|npx|\bnode\b/);
  });

  describe("the job that publishes", () => {
    let place: string;
    const tarball = "pulumi-integration-platform-1.2.3.tgz";
    const plugin = "pulumi-resource-integration-platform-v1.2.3-linux-amd64.tar.gz";
    const published = ["SHA256SUMS", tarball, plugin, "release-notes.md"];

    beforeEach(() =>
      endAfterTests(async (open) => {
        place = await mkdtemp(join(tmpdir(), "integration-platform-release-"));
        open.defer(() => rm(place, { recursive: true }));
        const log =
          'printf "%s" "$(basename "$0")" >> log; for arg in "$@"; do printf " <%s>" "$arg" >> log; done; echo >> log';
        for (const name of ["npm", "gh"]) {
          await writeFile(join(place, name), `#!/bin/sh\n${log}\n`);
          await chmod(join(place, name), 0o755);
        }
        await mkdir(join(place, "release"));
        for (const name of published) await writeFile(join(place, "release", name), `content of ${name}`);
        await writeChecksums(join(place, "release"));
        await writeFile(join(place, "log"), "");
      }),
    );

    const publish = async () => {
      const { jobs } = await workflow("release.yaml");
      const path = [place, process.env.PATH].join(delimiter);
      const env = { ...process.env, PATH: path, GITHUB_REF_NAME: "v1.2.3", LC_ALL: "C" };
      for (const command of commands(jobs.publish?.steps)) {
        await promisify(execFile)("bash", ["-e", "-c", command], { cwd: place, env });
      }
    };
    const logged = async () => (await readFile(join(place, "log"), "utf8")).trim().split("\n");

    test("publishes the tarball with provenance, and creates a release with all files", async () => {
      await publish();
      const files = published.map((name) => `<release/${name}>`).join(" ");
      expect(await logged()).toEqual([
        `npm <publish> <./release/${tarball}> <--provenance>`,
        `gh <release> <create> <v1.2.3> <--verify-tag> <--notes-file> <release/release-notes.md> ${files}`,
      ]);
    });

    test("publishes nothing if a file is not the one that was made", async () => {
      await writeFile(join(place, "release", tarball), "something else");
      await expect(publish()).rejects.toThrow(/FAILED|did NOT match/);
      expect(await logged()).toEqual([""]);
    });

    test("gets the digests of all files", async () => {
      const lines = (await readFile(join(place, "release/SHA256SUMS"), "utf8")).trim().split("\n");
      const digestOf = (name: string) => createHash("sha256").update(`content of ${name}`).digest("hex");
      const others = published.filter((name) => name !== "SHA256SUMS").toSorted();
      expect(lines).toEqual(others.map((name) => `${digestOf(name)}  ${name}`));
    });
  });
});
