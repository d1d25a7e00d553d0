import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { runIn } from "./harness/packed-package.ts";

const repository = join(import.meta.dirname, "../..");
const { version } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
const next = `${Number.parseInt(version, 10) + 1}.0.0`;
const note = "Tenants have labels.";
const changeset = `---\n"pulumi-integration-platform": major\n---\n\n${note}\n`;

const tarball = `pulumi-integration-platform-${next}.tgz`;
const systems = ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64", "windows-arm64"];
const plugins = ["", ...systems.map((system) => `-${system}`)].map(
  (system) => `pulumi-resource-integration-platform-v${next}${system}.tar.gz`,
);
const languages = ["dotnet", "go", "java", "nodejs", "python"];
const sdkOf = (language: string) => `integration-platform-sdk-${language}-v${next}.tar.gz`;
const site = `integration-platform-site-v${next}.tar.gz`;
const files = [
  "SHA256SUMS",
  ...languages.map(sdkOf),
  site,
  tarball,
  ...plugins,
  "release-notes.md",
  "sbom.cdx.json",
].toSorted();

/** The generators of the SDKs are built the first time. */
const timeLimitSeconds = 1800;

describe("npm run release -- --dry-run, in a clone with a changeset", () => {
  let clone: string;
  let outcome: CommandOutcome;
  let before: string;
  const inRelease = (...path: readonly string[]) => join(clone, "dist/release", ...path);
  /** The commit, the branches and tags, and what differs from the commit. */
  const gitState = async () =>
    (await runIn(clone, "git", "show-ref", "--head")) + (await runIn(clone, "git", "status", "--porcelain"));
  const unpacked = (archive: string, file: string) => runIn(clone, "tar", "-xzOf", inRelease(archive), file);
  const listed = async (archive: string) => (await runIn(clone, "tar", "-tzf", inRelease(archive))).trim().split("\n");

  beforeAll(
    () =>
      endAfterTests(async (open) => {
        clone = await makeClone();
        open.defer(() => rm(clone, { recursive: true, force: true }));
        before = await gitState();
        const args = ["scripts/release/main.ts", "--dry-run"];
        outcome = await runCommand(process.execPath, args, { cwd: clone, timeLimitSeconds });
      }),
    timeLimitSeconds * 1000,
  );

  test("makes all files of the next version, lists them, and says what a release would do with them", async () => {
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
    expect((await readdir(inRelease())).toSorted()).toEqual(files);
    const rows = outcome.stdout.split("\n").flatMap((line) => /^(\S+) +\d+ kB$/.exec(line)?.[1] ?? []);
    expect(rows).toEqual(files);
    expect(outcome.stdout).toContain("Nothing was published");
    expect(outcome.stdout).toContain(`git tag v${next} && git push origin v${next}`);
    expect(outcome.stdout).toContain(`npm publish ${tarball} --provenance`);
  });

  test("leaves the clone as it was", async () => {
    expect(await gitState()).toBe(before);
    expect(await readdir(join(clone, "dist"))).toEqual(["release"]);
    expect(await readdir(join(clone, ".changeset"))).toContain("of-this-test.md");
  });

  test("writes the digest of every file, as sha256sum checks it", async () => {
    const lines = (await readFile(inRelease("SHA256SUMS"), "utf8")).trim().split("\n");
    const digests = lines.map((line) => /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []);
    expect(digests.map(([, , name]) => name)).toEqual(files.filter((file) => file !== "SHA256SUMS"));
    for (const [, digest, name = ""] of digests) {
      const content = await readFile(inRelease(name));
      expect(createHash("sha256").update(content).digest("hex"), name).toBe(digest);
    }
  });

  test("packs the next version, with the changeset's sentence in the changelog and in the notes", async () => {
    const manifest = JSON.parse(await unpacked(tarball, "package/package.json"));
    expect(manifest).toMatchObject({ name: "pulumi-integration-platform", version: next });
    const changelog = await unpacked(tarball, "package/CHANGELOG.md");
    expect(changelog).toMatch(new RegExp(`^## ${next}\\n[\\s\\S]*${note}[\\s\\S]*^## ${version}$`, "m"));
    const notes = await readFile(inRelease("release-notes.md"), "utf8");
    expect(notes).toContain(note);
    expect(notes).not.toContain(`## ${version}`);
    expect(await unpacked(tarball, "package/README.md")).toContain(tarball);
  });

  test("packs one plugin for all systems, of the next version", async () => {
    const contents = await Promise.all(plugins.map((name) => readFile(inRelease(name))));
    for (const content of contents) expect(content.equals(contents[0] ?? Buffer.of())).toBe(true);
    expect(JSON.parse(await unpacked(plugins[0] ?? "", "schema.json"))).toMatchObject({ version: next });
  });

  test("packs the SDK of each language, the bill of materials and the site", async () => {
    for (const language of languages) expect(await listed(sdkOf(language))).toContain(`${language}/README.md`);
    expect(JSON.parse(await unpacked(sdkOf("nodejs"), "nodejs/package.json"))).toMatchObject({ version: next });
    const { metadata } = JSON.parse(await readFile(inRelease("sbom.cdx.json"), "utf8"));
    expect(metadata.component).toMatchObject({ name: "pulumi-integration-platform", version: next });
    expect(await unpacked(site, "site/index.html")).toContain("pulumi-integration-platform");
  });
});

/**
 * A repository with this clone's files, committed or not, in a single commit. It is in `dist`, so that modules resolve to this
 * clone's packages, as they do in a clone with packages of its own.
 */
async function makeClone(): Promise<string> {
  await mkdir(join(repository, "dist"), { recursive: true });
  const clone = await mkdtemp(join(repository, "dist/release-test-"));
  const listed = await runIn(repository, "git", "ls-files", "-co", "--exclude-standard", "--deduplicate");
  const removed = new Set((await runIn(repository, "git", "ls-files", "--deleted")).trim().split("\n"));
  for (const file of listed.trim().split("\n")) {
    if (!removed.has(file)) await cp(join(repository, file), join(clone, file));
  }
  await writeFile(join(clone, ".changeset/of-this-test.md"), changeset);
  await symlink("../../node_modules", join(clone, "node_modules"));
  const git = (...args: readonly string[]) =>
    runIn(clone, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", ...args);
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=a");
  return clone;
}
