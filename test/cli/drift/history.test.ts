import { chmod, mkdir, readdir, readFile, stat as statOf, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { endAfterTests } from "../../end-after-tests.ts";
import { end, type FakePulumi, fakePulumi, secret, stack, stackNamed, tenant } from "./fake-pulumi.ts";

let pulumi: FakePulumi;
let file: string;
beforeEach(() =>
  endAfterTests(async (open) => {
    pulumi = open.use(await fakePulumi());
    file = join(pulumi.folder, "history.json");
  }),
);

interface StoredFinding {
  stack: string;
  tenant: string;
  field?: string;
  actual?: unknown;
  firstFoundAt: string;
  lastFoundAt: string;
  goneAt?: string;
}

interface StoredHistory {
  runs: { stack: string; lastRunAt: string }[];
  findings: StoredFinding[];
}

const paused = tenant("update", { paused: true }, { paused: false });
const same = tenant("same", { paused: false }, { paused: false });

/** Runs the command with the history. */
function drift(events: readonly object[], { args = [], code = 0 }: { args?: readonly string[]; code?: number } = {}) {
  return pulumi.drift([stack, ...events, end], { code, args: ["--history", file, ...args] });
}

async function driftAsJson(events: readonly object[]) {
  const { code, stdout } = await drift(events, { args: ["--json", "-"] });
  return { code, report: JSON.parse(stdout) };
}

async function stored(): Promise<StoredHistory> {
  return JSON.parse(await readFile(file, "utf8"));
}

/** Makes all that is stored look as if it had happened at this time. */
async function setTimes(time: string) {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, time));
}

/** The days before now, as the command writes a time. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().replace(/\.\d+/, "");
}

describe("the history of drift", () => {
  test("begins with what the first run finds, which reports it as new", async () => {
    const { code, report } = await driftAsJson(paused);
    expect(code).toBe(2);
    expect(report).toMatchObject({ history: { gone: [] }, differences: [{ firstFoundAt: report.createdAt }] });
    expect(await stored()).toEqual({
      format: "integration-platform drift history",
      version: 1,
      runs: [{ project: "project", stack: "test", lastRunAt: report.createdAt }],
      findings: [
        {
          project: "project",
          stack: "test",
          tenant: "acme",
          resource: "Tenant acme",
          field: "paused",
          declared: false,
          actual: true,
          isSecret: false,
          changedOn: "program",
          firstFoundAt: report.createdAt,
          lastFoundAt: report.createdAt,
        },
      ],
    });
    expect(await readdir(pulumi.folder)).not.toContainEqual(expect.stringContaining(".partial"));
  });

  test("keeps the first time of what later runs find again, and every report says since when it is known", async () => {
    expect((await drift(paused)).stdout).toMatch(/KNOWN\n.*false {5}true {4}new\n/);
    const time = `${daysAgo(2).slice(0, 10)}T14:03:59Z`;
    await setTimes(time);
    const { stdout } = await drift(paused, { args: ["--markdown", "d.md", "--html", "d.html", "--json", "d.json"] });
    const since = `since ${time.slice(0, 10)} 14:03 UTC`;
    expect(stdout).toContain(`true    ${since}`);
    const read = (name: string) => readFile(join(pulumi.folder, name), "utf8");
    expect((await read("d.md")).replaceAll("&#58;", ":")).toContain(`<code>${since}</code> |`);
    const html = await read("d.html");
    expect(html).toContain(`</code>, ${since}`);
    expect(html).toContain(`<td data-label="Known">${since}</td>`);
    const { differences, createdAt } = JSON.parse(await read("d.json"));
    expect(differences).toMatchObject([{ firstFoundAt: time }]);
    expect((await stored()).findings).toMatchObject([{ firstFoundAt: time, lastFoundAt: createdAt }]);
  });

  test("marks what a run no longer finds as gone, which that run reports; found again it is a new finding", async () => {
    await drift(paused);
    await setTimes(`${daysAgo(1).slice(0, 10)}T05:17:00Z`);
    const { code, stdout } = await drift(same, { args: ["--html", "d.html", "--markdown", "d.md"] });
    expect(code).toBe(0);
    const title = `Gone since the run of ${daysAgo(1).slice(0, 10)} 05:17 UTC`;
    expect(stdout).toMatch(
      new RegExp(`${title}:\n.*KNOWN\nacme +paused +false +true +since ${daysAgo(1).slice(0, 10)}`),
    );
    const [html = "", markdown = ""] = await Promise.all(
      ["d.html", "d.md"].map((name) => readFile(join(pulumi.folder, name), "utf8")),
    );
    expect(html).toContain(`<h2>${title}</h2>`);
    expect(html.replace(/<[^>]*>/g, "")).toContain("paused declared false, actual true, since ");
    expect(markdown).toContain(`**${title}**`);
    const [gone] = (await stored()).findings;
    expect(gone?.goneAt).toBe((await stored()).runs[0]?.lastRunAt);

    const { report } = await driftAsJson(paused);
    expect(report).toMatchObject({ history: { gone: [] }, differences: [{ firstFoundAt: report.createdAt }] });
    expect((await stored()).findings).toMatchObject([{ goneAt: gone?.goneAt }, { firstFoundAt: report.createdAt }]);
    expect((await drift(same, { args: ["--json", "-"] })).stdout).toContain('"goneAt"');
    expect((await drift(same)).stdout).toBe("The tenant matches its declaration.\n");
  });

  test("tells another value of a field from the one before, and takes it for the same whatever its cause", async () => {
    const region = (actual: string) => tenant("update", { configs: { region: actual } }, { configs: { region: "eu" } });
    await drift(region("us"));
    const time = daysAgo(3);
    await writeFile(file, (await readFile(file, "utf8")).replace('"program"', '"platform"'));
    await setTimes(time);
    await drift(region("us"));
    expect((await stored()).findings).toMatchObject([{ firstFoundAt: time, changedOn: "platform" }]);
    const { report } = await driftAsJson(region("uk"));
    expect(report.history.gone).toMatchObject([{ field: "configs.region", actual: "us", firstFoundAt: time }]);
    expect((await stored()).findings.map(({ actual, goneAt }) => [actual, goneAt !== undefined])).toEqual([
      ["us", true],
      ["uk", false],
    ]);
  });

  test("has no secret", async () => {
    const login = { configs: { login: "ada:hidden" }, secretPaths: [["configs", "login", "password"]] };
    const events = tenant("update", login, { configs: { login: { password: secret } } });
    await drift(events);
    expect((await stored()).findings).toMatchObject([
      { field: "configs.login", declared: "(secret)", actual: "(secret)" },
    ]);
    await drift(same);
    expect(await readFile(file, "utf8")).not.toContain("hidden");
  });

  test("has the findings of several stacks, and a run changes those of its own stack alone", async () => {
    await drift(paused);
    const other = [stackNamed("other"), ...paused, end];
    const { stdout } = await pulumi.drift(other, { args: ["--history", file] });
    expect(stdout).toContain("true    new");
    const before = (await stored()).findings.filter((finding) => finding.stack === "test");
    await pulumi.drift([stackNamed("other"), ...same, end], { args: ["--history", file] });
    const { findings, runs } = await stored();
    expect(findings.filter((finding) => finding.stack === "test")).toEqual(before);
    expect(findings.map(({ stack, goneAt }) => [stack, goneAt !== undefined])).toEqual([
      ["other", true],
      ["test", false],
    ]);
    expect(runs.map((run) => run.stack).sort()).toEqual(["other", "test"]);
  });

  test("is whole after runs at once", async () => {
    const names = ["one", "two", "three", "four"];
    const run = (name: string) => pulumi.drift([stackNamed(name), ...paused, end], { args: ["--history", file] });
    const outcomes = await Promise.all([...names, ...names].map(run));
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      outcomes.map(() => ({ code: 2, stderr: "" })),
    );
    for (const name of names) await run(name);
    expect((await stored()).findings.map((finding) => finding.stack)).toEqual([...names].sort());
    expect(await readdir(pulumi.folder)).not.toContainEqual(expect.stringContaining(".partial"));
  });

  test("forgets what is gone for 90 days, and of the rest keeps the latest 1,000 of a stack", async () => {
    await drift(same);
    const history = await stored();
    const finding = (index: number, days: number, more: object = {}) => ({
      ...{ project: "project", stack: "test", tenant: `t-${index}`, resource: `Tenant t-${index}`, field: "paused" },
      ...{ declared: false, actual: true, isSecret: false, changedOn: "platform" },
      ...{ firstFoundAt: daysAgo(200), lastFoundAt: daysAgo(days), goneAt: daysAgo(days), ...more },
    });
    const findings = [
      ...Array.from({ length: 1100 }, (_, index) => finding(index, 1 + (index % 80))),
      ...Array.from({ length: 5 }, (_, index) => finding(index, 91)),
      finding(7, 1, { stack: "other" }),
      finding(8, 100, { stack: "other", goneAt: undefined }),
      finding(9, 100, { tenant: "acme", resource: "Tenant acme", goneAt: undefined }),
    ];
    await writeFile(file, JSON.stringify({ ...history, findings }));
    const { stdout } = await drift(paused);
    expect(stdout).toContain(`since ${daysAgo(200).slice(0, 10)}`);
    const kept = (await stored()).findings;
    const gone = kept.filter(({ stack, goneAt }) => stack === "test" && goneAt !== undefined);
    expect(gone).toHaveLength(1000);
    const oldest = gone.map(({ goneAt = "" }) => goneAt).sort()[0] ?? "";
    expect(Date.parse(oldest)).toBeGreaterThan(Date.parse(daysAgo(76)));
    expect(kept.filter(({ stack }) => stack === "other").map((one) => one.tenant)).toEqual(["t-7"]);
    expect(kept.filter(({ goneAt }) => goneAt === undefined).map((one) => one.tenant)).toEqual(["acme"]);
  });

  test("stays as it is if the preview fails or ends early", async () => {
    expect((await drift([], { code: 255 })).code).toBe(1);
    await expect(statOf(file)).rejects.toThrow("ENOENT");
    await drift(paused);
    const before = await readFile(file, "utf8");
    expect((await drift(same, { code: 255 })).code).toBe(1);
    expect((await pulumi.drift([stack, ...same], { args: ["--history", file] })).code).toBe(1);
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test.each([
    ["", "it is empty"],
    ["secret notes", "it is not JSON"],
    ['{"findings": [', "it is JSON that is cut short or malformed"],
    ['{"differences": []}', "`drift --history` did not write it"],
    [
      '{"format": "integration-platform drift history", "version": 1, "runs": [], "findings": [{}]}',
      "did not write it",
    ],
    ['{"format": "integration-platform drift history", "version": 2}', "a newer version of this command wrote it"],
  ])("fails before the preview if the file is not a history, and leaves it alone: %s", async (text, reason) => {
    await writeFile(file, text);
    const { code, stdout, stderr } = await drift(paused);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`error: cannot use ${file} as the drift history: `);
    expect(stderr).toContain(reason);
    expect(stderr).toContain("Name another file, or move this one away to begin a new history");
    expect(stderr).not.toContain("secret notes");
    expect(await pulumi.previews()).toEqual([]);
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("fails before the preview if there can be no such file", async () => {
    await mkdir(file);
    expect((await drift(paused)).stderr).toContain("it is not a regular file");
    const { code, stderr } = await pulumi.drift([stack, end], { args: ["--history", "none/history.json"] });
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot use none\/history\.json as the drift history: ENOENT/);
    expect(await pulumi.previews()).toEqual([]);
  });

  test("keeps the file's mode, and a link to it", async () => {
    const target = join(pulumi.folder, "target.json");
    file = target;
    await drift(paused);
    await chmod(target, 0o600);
    const link = join(pulumi.folder, "link.json");
    await symlink(target, link);
    file = link;
    await drift(same);
    expect((await statOf(target)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(target, "utf8")).findings).toMatchObject([{ goneAt: expect.any(String) }]);
  });

  test("needs a file of its own", async () => {
    for (const args of [
      ["--history", "-"],
      ["--history", "a.json", "--json", "./a.json"],
    ]) {
      const { code, stderr } = await pulumi.drift([stack, end], { args });
      expect(code).toBe(64);
      expect(stderr).toContain("--history needs a file");
    }
    expect(await readdir(pulumi.folder)).not.toContain("a.json");
  });
});
