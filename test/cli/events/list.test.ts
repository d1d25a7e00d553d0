import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { payload } from "../../receiver/fixtures.ts";
import { temporaryFile } from "../../receiver/open-ledger.ts";
import { runCli } from "../run-cli.ts";
import { binary, failed, fileWith, late } from "./stored-events.ts";

const everything = ["--since", "2026-03-04"] as const;
const events = (...args: readonly string[]) => runCli(undefined, ["events", ...args]);

describe("events list", () => {
  test("lists events with their tenants, runs and statuses, the newest first", async () => {
    const reconciled = { ...late, ingestId: "found-4", receivedAt: "2026-03-05T00:00:09.999Z", reconciled: true };
    const file = await fileWith([failed, "published"], [binary, "received"], [late, "late"], [reconciled, "published"]);
    const { code, stdout, stderr } = await events("list", "--data", file, ...everything, "--until", "2026-03-05T10:00");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`\
RECEIVED (UTC)       EVENT               TENANT  RUN  STATUS                 INGEST ID
2026-03-05 00:00:09  new_tenant_created  5002    -    published, reconciled  found-4
2026-03-04 03:00:00  new_tenant_created  5002    -    late                   late-3
2026-03-04 02:30:00  not UTF-8           -       -    received               binary-2
2026-03-04 01:00:00  run_failed          5001    77   published              failed-1

4 events from 2026-03-04 00:00 to 2026-03-05 10:00 UTC: 2 new_tenant_created, 1 not UTF-8, 1 run_failed.
`);
  });

  test.each<[readonly string[], readonly string[]]>([
    [["--type", "run_failed"], ["failed-1"]],
    [["--tenant", "5002"], ["late-3"]],
    [["--tenant", "5001", "--type", "new_tenant_created"], []],
    [["--until", "2026-03-04T01:00Z"], ["failed-1"]],
    [["--until", "2026-03-04T03:29+02:00"], ["failed-1"]],
    [
      ["--since", "2026-03-04T02:30"],
      ["late-3", "binary-2"],
    ],
  ])("with %j lists as JSON what it asks for", async (filters, ingestIds) => {
    const file = await fileWith([failed, "published"], [binary, "published"], [late, "late"]);
    const { code, stdout } = await events("list", "--data", file, "--json", ...everything, ...filters);
    const { events: listed } = JSON.parse(stdout);
    expect({ code, listed: listed.map(({ ingestId }: { ingestId: string }) => ingestId) }).toEqual({
      code: 0,
      listed: ingestIds,
    });
  });

  test("has all facts of an event in its JSON, but not the body", async () => {
    const file = await fileWith([failed, "late"]);
    const { stdout } = await events("list", "--data", file, "--json", ...everything, "--until", "2026-03-05");
    const { body: _, ...facts } = failed;
    expect(JSON.parse(stdout)).toEqual({
      since: "2026-03-04T00:00:00.000Z",
      until: "2026-03-05T00:00:00.000Z",
      events: [{ ...facts, status: "late" }],
    });
  });

  test("lists the last 24 hours by default", async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const [recent, old] = [
      { ...failed, receivedAt: ago(23.9) },
      { ...late, receivedAt: ago(24.1) },
    ];
    const file = await fileWith([recent, "published"], [old, "published"]);
    const ids = async (...args: string[]) => (await events("list", "--data", file, ...args)).stdout.match(/\w+-\d$/gm);
    expect(await ids()).toEqual(["failed-1"]);
    expect(await ids("--since", "2d")).toEqual(["failed-1", "late-3"]);
    expect(await ids("--since", "1440m")).toEqual(["failed-1"]);
  });

  test("says that there are none", async () => {
    const file = await fileWith();
    const { code, stdout } = await events("list", "--data", file, ...everything, "--until", "2026-03-05");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "No events from 2026-03-04 00:00 to 2026-03-05 00:00 UTC.\n" });
  });

  test.each([
    ["unknown", ["unknown-4"]],
    ["malformed", ["binary-2", "no-id-1"]],
    ["run_failed", ["no-id-1"]],
  ])("finds what the type %s means on the bus and in the log", async (type, ingestIds) => {
    const file = await fileWith(
      [{ ...failed, ingestId: "no-id-1", kind: "malformed" }, "published"],
      [binary, "published"],
      [late, "late"],
      [{ ...late, ingestId: "unknown-4", kind: "unknown type", eventType: "run_resumed" }, "published"],
    );
    const { stdout } = await events("list", "--data", file, ...everything, "--type", type, "--json");
    const listed = JSON.parse(stdout).events.map(({ ingestId }: { ingestId: string }) => ingestId);
    expect(listed).toEqual(ingestIds);
  });

  test("escapes control characters in an event's type", async () => {
    const evil = "\u001b]0;owned\u0007";
    const file = await fileWith([{ ...failed, kind: "unknown type", eventType: evil }, "published"]);
    const { stdout } = await events("list", "--data", file, ...everything);
    expect(stdout).toContain("unknown type \\u001b]0;owned\\u0007");
    expect(stdout).not.toMatch(/[^\n\P{Cc}]/u);
  });
});

describe("events show", () => {
  test("shows an event and its body as it arrived", async () => {
    const file = await fileWith([failed, "published"]);
    const { code, stdout } = await events("show", "--data", file, "failed-1");
    expect(code).toBe(0);
    expect(stdout).toBe(`\
ingest id  failed-1
received   2026-03-04T01:00:00.000Z
from       192.0.2.7
event      run_failed
tenant     5001
run        77
status     published
body       ${failed.body.byteLength} bytes

${failed.body}
`);
    const { stdout: json } = await events("show", "--data", file, "failed-1", "--json");
    const shown = { ...failed, status: "published", problems: [], body: String(failed.body), bodyEncoding: "utf8" };
    expect(JSON.parse(json)).toEqual(shown);
  });

  test("shows the problems that the event has on the bus", async () => {
    const body = Buffer.from(JSON.stringify({ ...payload("run_failed"), run_status: 7, tenant_name: false }));
    const file = await fileWith([{ ...failed, body }, "published"]);
    const { stdout } = await events("show", "--data", file, "failed-1");
    expect(stdout).toMatch(/^problems +run_status: .*\n +tenant_name: expected string, got boolean\n\n/m);
    const { stdout: json } = await events("show", "--data", file, "failed-1", "--json");
    expect(JSON.parse(json).problems).toHaveLength(2);
  });

  test("shows a body that is not UTF-8 in base64", async () => {
    const file = await fileWith([binary, "published"]);
    const { stdout } = await events("show", "--data", file, "binary-2");
    expect(stdout).toMatch(/body +2 bytes, not UTF-8, shown in base64\nproblems +the body is not UTF-8\n\n\/wA=\n$/);
    const { stdout: json } = await events("show", "--data", file, "binary-2", "--json");
    expect(JSON.parse(json)).toMatchObject({ body: "/wA=", bodyEncoding: "base64" });
  });

  test("fails if there is no such event", async () => {
    const file = await fileWith();
    expect(await events("show", "--data", file, "nope")).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: the ledger has no event nope; give the whole ingest id: `events list` has it\n",
    });
  });
});

describe("the command line", () => {
  test("does not create a file that is not there", async () => {
    const file = temporaryFile();
    const { code, stderr } = await events("list", "--data", file);
    expect(code).toBe(1);
    expect(stderr).toContain(`there is no file ${file}`);
    expect(existsSync(file)).toBe(false);
  });

  test.each(["another program's database", "another program's database with a version"])(
    "changes nothing in %s",
    async (what) => {
      const file = temporaryFile();
      const database = new DatabaseSync(file);
      if (what.includes("database")) database.exec("CREATE TABLE theirs (value TEXT); INSERT INTO theirs VALUES ('x')");
      if (what.includes("version")) database.exec("PRAGMA user_version = 7");
      database.close();
      const before = readFileSync(file);
      for (const command of [["list"], ["show", "an-id"], ["replay", "an-id", "--yes"]]) {
        const { code, stderr } = await events(...command, "--data", file);
        expect(code).toBe(1);
        expect(stderr).toContain("it is not a file of this version of the receiver; choose another one");
      }
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    },
  );

  test.each<[readonly string[], string]>([
    [["list", "--since", "yesterday"], "It must be a duration such as 30m, 2h or 3d, or a time"],
    [["list", "--since", "2026-13-01"], "It must be a duration"],
    [["list", "--tenant", "acme"], "It must be the id of a tenant"],
    [["list", "--data", "file", "--stack", "dev"], "cannot be used with option"],
    [["list", "--ledger", "table", "--stack", "dev"], "cannot be used with option"],
    [["list", "--since", "2026-03-05", "--until", "2026-03-04"], "must be before --until 2026-03-04T00:00:00.000Z"],
    [["list", "--until", "2026-03-04"], "must be before --until"],
    [["list", "--since", "2999-01-01"], "--since 2999-01-01T00:00:00.000Z is in the future"],
    [["list", "--since", "999999w"], "is more than ten years before --until"],
    [["list", "--type", ""], "The types: new_integration_created, new_tenant_created, "],
    [["list", "--type", "runfailed"], '--type "runfailed" is not an event type; did you mean run_failed?'],
    [["show", ""], "Give the whole ingest id: `events list` has it."],
    [["replay", ""], "an ingest id is empty"],
    [["show"], "missing required argument 'ingestId'"],
    [["replay", "--data", "file"], "name events by their ingest ids, or by --since"],
    [["replay", "--data", "file", "an-id", "--since", "2h"], "ingest ids and filters exclude each other"],
    [["replay", "--ledger", "table", "an-id"], "--ledger and --bus belong together"],
  ])("%j is refused", async (args, message) => {
    const { code, stderr } = await events(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(64);
  });

  test.each(["list", "show", "replay"])("%s has a help text", async (name) => {
    const { code, stdout } = await events(name, "--help");
    expect(code).toBe(0);
    expect(stdout).toContain("Exit codes:");
    expect(stdout).not.toMatch(/^.{81}/m);
  });
});
