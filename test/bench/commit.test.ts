import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readCommit } from "../../bench/commit.ts";
import { runToContinue } from "../../bench/run-to-continue.ts";
import { run } from "./course.ts";

describe("the commit", () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.com", ...args], {
      encoding: "utf8",
      stdio: "pipe",
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "integration-platform-commit-"));
    for (const name of ["bench", "docs", "src"]) mkdirSync(join(folder, name));
    git("init", "-q");
    writeFileSync(join(folder, "src/index.ts"), "");
    writeFileSync(join(folder, "docs/performance.md"), "");
    writeFileSync(join(folder, "bench/results.json"), "{}");
    git("add", ".");
    git("commit", "-q", "-m", "first");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("is that of the clone, whatever the run itself or a unit test writes", async () => {
    writeFileSync(join(folder, "docs/performance.md"), "a table");
    writeFileSync(join(folder, "src/index.test.ts"), "");
    writeFileSync(join(folder, "docs/growth.svg"), "<svg/>");
    writeFileSync(join(folder, "bench/results.json"), '{"runs":{}}');
    const commit = { id: git("rev-parse", "HEAD").trim(), hasChanges: false };
    expect(await readCommit(folder)).toEqual(commit);
    expect(await readCommit(join(folder, "bench"))).toEqual(commit);
  });
  test.each(["src/index.ts", "src/new.ts", "bench/new.ts"])("has changes with a change of %s", async (path) => {
    writeFileSync(join(folder, path), "changed");
    expect(await readCommit(join(folder, "bench"))).toMatchObject({ hasChanges: true });
  });
  test("stays the same when the results are committed", async () => {
    const measured = await readCommit(folder);
    writeFileSync(join(folder, "docs/performance.md"), "a table");
    writeFileSync(join(folder, "bench/results.json"), '{"runs":{}}');
    git("commit", "-q", "-a", "-m", "results");
    expect(await readCommit(folder)).toEqual(measured);
    writeFileSync(join(folder, "src/index.ts"), "changed");
    git("commit", "-q", "-a", "-m", "another");
    expect(await readCommit(folder)).toEqual({ id: git("rev-parse", "HEAD").trim(), hasChanges: false });
  });
  test("is unknown outside of a clone", async () => {
    rmSync(join(folder, ".git"), { recursive: true });
    expect(await readCommit(folder)).toBeUndefined();
  });
});

describe("--continue", () => {
  const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  const { commit } = run;
  const of = (latest: typeof run | Omit<typeof run, "commit">) => ({
    runs: { [second]: latest, [first]: run },
    courses: [],
  });

  test("takes the latest run, if it measured this commit", () => {
    expect(runToContinue(of(run), commit)).toEqual({ runStartedAt: second, run });
  });
  test("refuses what it cannot compare", () => {
    const { commit: _, ...unknown } = run;
    const changed = { ...commit, hasChanges: true };
    expect(() => runToContinue({ runs: {}, courses: [] }, commit)).toThrow("no run to continue");
    expect(() => runToContinue(of(unknown), commit)).toThrow("its commit is unknown");
    expect(() => runToContinue(of(run), undefined)).toThrow("the commit of this folder is unknown");
    expect(() => runToContinue(of({ ...run, commit: changed }), commit)).toThrow("changes that are in no commit");
    expect(() => runToContinue(of(run), changed)).toThrow("the clone has changes");
    expect(() => runToContinue(of(run), { ...commit, id: "f".repeat(40) })).toThrow(/measured commit 0123.*is at ffff/);
  });
});
