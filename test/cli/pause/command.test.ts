import { expect, test } from "vitest";
import { runCli } from "../run-cli.ts";
import { openIncident, someTenants } from "./incident-fixture.ts";

const noteName = "integration-platform-pause.json";
const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42", "--no-override"];
const noList = "no list shows it, neither as live nor as archived: the API key is probably of another account";

test.concurrent("pauses what runs with PATCHes of paused alone, and resume brings back exactly that", async () => {
  await using incident = await openIncident();
  const paused = await incident.run(...pauseBilling);
  expect(paused.code).toBe(0);
  expect(paused.stdout).toContain("INC-42: 3 tenants paused; 1 was paused before.");
  expect(await incident.running()).toEqual(["fjord"]);
  expect(incident.patches().sort((one, other) => one.id - other.id)).toEqual(
    [1, 2, 4].map((id) => ({ id, body: { paused: true } })),
  );
  expect(JSON.parse(await incident.read(noteName))).toMatchObject({
    platform: incident.emulator.url,
    reason: "INC-42",
    tenants: [
      { id: 1, name: "acme", integration: "billing", wasPaused: false },
      { id: 2, name: "bluebird", wasPaused: false },
      { id: 3, name: "cedar", wasPaused: true },
      { id: 4, name: "dune", wasPaused: false },
    ],
  });

  incident.emulator.clearRequests();
  const resumed = await incident.run("resume");
  expect(resumed).toMatchObject({ code: 0, stderr: "" });
  expect(resumed.stdout).toContain("INC-42: 3 tenants resumed.");
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
  expect(incident.patches().sort((one, other) => one.id - other.id)).toEqual(
    [1, 2, 4].map((id) => ({ id, body: { paused: false } })),
  );
  expect(await incident.files()).toEqual([
    expect.stringMatching(/^integration-platform-pause\.json\.done-\d{8}T\d{6}Z$/),
  ]);

  incident.emulator.clearRequests();
  const again = await incident.run("resume");
  expect(again.code).toBe(0);
  expect(again.stdout).toContain("Nothing to do");
  expect(incident.patches()).toEqual([]);
});

test.concurrent("the note has everything before the first PATCH", async () => {
  await using incident = await openIncident();
  incident.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH" }, times: 1000 });
  const { code, stdout } = await incident.run(...pauseBilling);
  expect(code).toBe(1);
  expect(stdout).toContain("Not paused:");
  const note = JSON.parse(await incident.read(noteName));
  expect(note.tenants.filter((tenant: { wasPaused: boolean }) => !tenant.wasPaused)).toHaveLength(3);
});

test.concurrent("a second pause after some failed keeps what was running at first", async () => {
  await using incident = await openIncident();
  incident.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH", path: "/2$" }, times: 1 });
  const first = await incident.run(...pauseBilling);
  expect(first.code).toBe(1);
  expect(first.stdout).toMatch(/Not paused:\n {2}bluebird \(2, billing\): .*422/);
  expect(await incident.running()).toEqual(["bluebird", "fjord"]);
  const second = await incident.run(...pauseBilling);
  expect(second).toMatchObject({ code: 0 });
  expect(await incident.running()).toEqual(["fjord"]);
  expect((await incident.run("resume")).code).toBe(0);
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent.each([
  ["the server fails before it", { kind: "status", status: 500 } as const],
  ["the server fails after it", { kind: "status", status: 502, applied: true } as const],
  ["the response is lost", { kind: "cut-after" } as const],
  ["the response is HTML", { kind: "html" } as const],
])("pauses all although %s, for two of three", async (_, fault) => {
  await using incident = await openIncident();
  incident.emulator.fault({ ...fault, match: { method: "PATCH" }, times: 2 });
  await incident.succeed(...pauseBilling);
  expect(await incident.running()).toEqual(["fjord"]);
});

test.concurrent.each([
  ["patchAnswer", { patchAnswer: "nothing" }],
  ["patchAnswer", { patchAnswer: "empty" }],
  ["lists that lag", { visibility: "lagging" }],
  ["absent defaults", { defaults: "absent" }],
  ["no integration ids", { absentField: "integration_id" }],
  ["small unsorted pages", { pageSize: "capped", sorting: "ignore" }],
] as const)("works with %s of the platform", async (_, variants) => {
  await using incident = await openIncident(someTenants, { variants, lagSeconds: 1 });
  await incident.succeed(...pauseBilling);
  expect(await incident.running()).toEqual(["fjord"]);
  await incident.succeed("resume");
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("fails for a tenant of which no list shows the pause", async () => {
  await using incident = await openIncident();
  incident.emulator.fault({
    kind: "ignore-fields",
    fields: ["paused"],
    match: { method: "PATCH", path: "/4$" },
    times: 99,
  });
  const { code, stdout } = await incident.run(...pauseBilling);
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "dune (4, billing): the platform accepted the request, but no list showed",
  );
  expect(await incident.running()).toEqual(["dune", "fjord"]);
});

test.concurrent("--where and --integration of resume bring back a part, and the note keeps the rest", async () => {
  await using incident = await openIncident();
  expect(await incident.run("pause", "--integration", "all", "--reason", "INC-42", "--no-override")).toMatchObject({
    code: 0,
  });
  expect(await incident.running()).toEqual([]);
  await incident.succeed("resume", "--where", 'metadata.plan == "tin"');
  expect(await incident.running()).toEqual(["bluebird"]);
  const shop = await incident.run("resume", "--integration", "shop");
  expect(shop.stdout).toContain("3 tenants are still in the note.");
  expect(await incident.running()).toEqual(["bluebird", "fjord"]);
  await incident.succeed("resume");
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("resume leaves those that were archived, or resumed by somebody, and names them", async () => {
  await using incident = await openIncident();
  await incident.run(...pauseBilling);
  await incident.change(1, { archived: true });
  await incident.change(2, { paused: false });
  await incident.change(3, { archived: true });
  incident.emulator.clearRequests();
  const { code, stdout } = await incident.run("resume");
  expect(code).toBe(0);
  expect(stdout).toContain("Not changed, because they run already:\n  bluebird (2, billing)");
  expect(stdout).toContain("Not changed, because they are archived:\n  acme (1, billing)\n  cedar (3, billing)\n");
  expect(stdout).not.toContain("they were paused before");
  expect(incident.patches()).toEqual([{ id: 4, body: { paused: false } }]);
});

test.concurrent.each([
  ["that began first", [], ["--note", "43.json"]],
  ["that began last", ["--note", "43.json"], []],
])("a tenant of two incidents is handed over by the one %s to the other", async (_, first, last) => {
  await using incident = await openIncident();
  await incident.run(...pauseBilling);
  if (first.length > 0) await incident.change(1, { paused: false });
  const acme = ["--integration", "billing", "--where", 'name == "acme"', "--reason", "INC-43", "--note", "43.json"];
  await incident.run("pause", ...acme);
  // Neither a copy of a note nor what a killed command has left is another incident.
  await incident.write("copy.json", await incident.read(noteName));
  await incident.write("43.json.77.partial", await incident.read("43.json"));

  const preview = await incident.run("resume", ...first, "--dry-run");
  const notes = await incident.files();
  const { code, stdout } = await incident.run("resume", ...first);
  for (const text of [preview.stdout, stdout]) {
    expect(text).toMatch(
      /Not resumed, because INC-4\d also needs them paused:\n {2}acme \(1, billing\)\nThey (are now|would be) only in /,
    );
  }
  expect([preview.code, code]).toEqual([0, 0]);
  expect(await incident.running()).not.toContain("acme");
  expect(notes).toEqual(["43.json", "43.json.77.partial", "copy.json", noteName]);
  await incident.write("copy.json", "");

  expect(stdout).toMatch(/When INC-4\d is over:\n {2}integration-platform resume( --note \w+\.json)?\n/);
  const ended = await incident.run("resume", ...last, "--json");
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ handedOver: [], resumed: expect.toSatisfy(hasAcme) });
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("no tenant is handed over to an incident whose --until has passed", async () => {
  await using incident = await openIncident();
  const until = "2099-01-01T00:00:00Z";
  await incident.run(...pauseBilling, "--until", until);
  await incident.write(noteName, (await incident.read(noteName)).replace(until, "2020-01-01T00:00:00Z"));
  for (const id of [1, 2, 4]) await incident.change(id, { paused: false }); // as an `up` does
  const later = ["--note", "50.json"];
  await incident.run("pause", "--integration", "billing", "--reason", "INC-50", ...later);
  await incident.succeed("resume", ...later);
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("pause prints the command that resumes its tenants, and not those of another incident", async () => {
  await using incident = await openIncident();
  const printed = "resume them:\n  integration-platform resume";
  expect((await incident.run(...pauseBilling)).stdout).toContain(`${printed}\n`);
  const other = ["pause", "--integration", "shop", "--reason", "INC-43"];
  expect((await incident.run(...other, "--note", "43.json")).stdout).toContain(`${printed} --note 43.json\n`);
  const elsewhere = await runCli(incident.emulator, [...pauseBilling, "--cwd", incident.folder], {}, "/");
  expect(elsewhere.stdout).toContain(`${printed} --cwd ${incident.folder}\n`);
});

const hasAcme = (tenants: { name: string }[]) => tenants.some(({ name }) => name === "acme");

test.concurrent("resume with the key of another account fails, also in a dry run, and the note keeps all tenants", async () => {
  await using incident = await openIncident();
  await incident.run(...pauseBilling);
  const note = await incident.read(noteName);
  const lists = { method: "GET", path: "^/v2/(tenants|integrations)$" };
  incident.emulator.fault({ kind: "status", status: 200, body: [], match: lists, times: 999 });
  const preview = await incident.run("resume", "--dry-run");
  expect(preview.code).toBe(1);
  expect(preview.stdout.replaceAll(/\s+/g, " ")).toContain(
    `INC-42: 0 tenants would be resumed. Would not be resumed: acme (1, billing): ${noList}`,
  );
  expect(preview.stdout).not.toContain("they are archived");

  const { code, stdout } = await incident.run("resume", "--json");
  expect(code).toBe(1);
  const names = ["acme", "bluebird", "cedar", "dune"].map((name) => expect.objectContaining({ name }));
  expect(JSON.parse(stdout)).toMatchObject({
    resumed: [],
    pausedBefore: [],
    archived: [],
    failed: names,
    stillNoted: names,
  });
  expect(JSON.parse(stdout).failed[0].problem).toContain(noList);
  expect(await incident.read(noteName)).toBe(note);

  incident.emulator.clearFaults();
  await incident.succeed("resume");
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("pause fails for tenants that no list shows after the PATCHes, and notes them", async () => {
  await using incident = await openIncident();
  const lists = { method: "GET", path: "^/v2/tenants$" };
  incident.emulator.fault({ kind: "status", status: 200, body: [], match: lists, skip: 1, times: 999 });
  const { code, stdout } = await incident.run(...pauseBilling);
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`Not paused: acme (1, billing): ${noList}`);
  expect(stdout).not.toContain("Archived meanwhile");
  incident.emulator.clearFaults();
  await incident.succeed("resume");
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("pause --integration all also pauses the tenants of an archived integration", async () => {
  await using incident = await openIncident();
  const { url, apiKey } = incident.emulator;
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  await fetch(`${url}/_emulator/integrations/102`, { method: "PATCH", headers, body: '{"archived":true}' });
  expect(await incident.run("pause", "--integration", "all", "--reason", "INC-42", "--no-override")).toMatchObject({
    code: 0,
  });
  expect(await incident.running()).toEqual([]);
  await incident.succeed("resume");
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("a pause with another --where does not verify what a pause before it has failed to do", {
  timeout: 60_000,
}, async () => {
  await using incident = await openIncident();
  const unverified = async () => JSON.parse(await incident.read(noteName)).unverified;
  incident.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH", path: "/4$" }, times: 1 });
  expect(await incident.run(...pauseBilling)).toMatchObject({ code: 1 });
  await incident.succeed(...pauseBilling, "--where", 'name == "bluebird"');
  expect(await unverified()).toEqual([4]);
  const part = await incident.run("resume", "--where", 'name == "acme"');
  expect(part.stderr).toContain("A `pause` has not ended with success: waiting 2 s");

  await incident.succeed(...pauseBilling);
  expect(await unverified()).toEqual([]);
  expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("waiting") });
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
});

test.concurrent("a dry run changes nothing", async () => {
  await using incident = await openIncident();
  const { code, stdout } = await incident.run(...pauseBilling, "--dry-run", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ isDryRun: true, paused: [{ name: "acme" }, {}, {}], pausedBefore: [{}] });
  expect(incident.patches()).toEqual([]);
  expect(await incident.files()).toEqual([]);
});

test.concurrent("refuses another incident, another platform, and a condition that holds for nobody", async () => {
  await using incident = await openIncident();
  await using other = await openIncident();
  await incident.run(...pauseBilling);
  const reason = await incident.run("pause", "--integration", "shop", "--reason", "INC-43");
  expect(reason).toMatchObject({ code: 1, stdout: "" });
  expect(reason.stderr).toContain('has the reason "INC-42"');
  await other.write(noteName, await incident.read(noteName));
  const platform = await other.run("resume");
  expect(platform).toMatchObject({ code: 1, stdout: "" });
  expect(platform.stderr).toContain(`is about ${incident.emulator.url}`);
  const nobody = await other.run(...pauseBilling, "--note", "other.json", "--where", 'name == "nobody"');
  expect(nobody).toMatchObject({ code: 1, stdout: "" });
  expect(nobody.stderr).toContain("nothing was paused");
  expect(other.patches()).toEqual([]);
  const past = await other.run(...pauseBilling, "--note", "other.json", "--until", "2020-01-01T00:00:00Z");
  expect(past.stderr).toContain("has passed: nothing was paused");
});

test.concurrent("refuses to extend a note whose --until has passed, unless a new --until is given", async () => {
  await using incident = await openIncident();
  const until = "2099-01-01T00:00:00Z";
  await incident.run(...pauseBilling, "--where", 'name == "acme"', "--until", until);
  const noted = await incident.read(noteName);
  const past = noted.replace(until, "2020-01-01T00:00:00Z");
  await incident.write(noteName, past);
  incident.emulator.clearRequests();

  for (const more of [[], ["--dry-run"]]) {
    const { code, stdout, stderr } = await incident.run(...pauseBilling, ...more);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `error: the --until 2020-01-01T00:00:00Z of the note ${noteName} has passed: give a new --until. Nothing was paused\n`,
    );
  }
  expect(incident.patches()).toEqual([]);
  expect(await incident.read(noteName)).toBe(past);

  await incident.succeed(...pauseBilling, "--until", until);
  expect(JSON.parse(await incident.read(noteName))).toMatchObject({ until, tenants: [{}, {}, {}, {}] });
});

test.concurrent("resume without a note fails", async () => {
  await using incident = await openIncident();
  const { code, stderr } = await incident.run("resume");
  expect(code).toBe(1);
  expect(stderr).toContain("there is no note");
});

test.concurrent.each([
  [["pause", "--integration", "billing"], /--reason/],
  [["pause", "--reason", "x"], /--integration/],
  [[...pauseBilling, "--until", "tomorrow"], /must be a time/],
  [[...pauseBilling, "--until", "2099-11-24T06:00Z"], /--until "2099-11-24T06:00Z" must be a time with its seconds/],
  [[...pauseBilling, "--until", "2099-11-24T24:00:00Z"], /must be a time/],
  [[...pauseBilling, "--until", "2099-11-31T06:00:00Z"], /must be a time/],
  [[...pauseBilling, "--where", "paused =="], /where/],
  [["pause", "--integration", "billing", "--reason", " "], /must not be empty/],
])("%j is a usage error", async (args, message) => {
  await using incident = await openIncident();
  const { code, stderr, stdout } = await incident.run(...args);
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toMatch(message);
  expect(incident.emulator.requests()).toEqual([]);
  expect(await incident.files()).toEqual([]);
});

test.concurrent.each(["refused", "ignored"] as const)(
  "resume leaves a tenant in the note that is not connected any more, and whose resumption is %s",
  async (pausedUnconnected) => {
    await using incident = await openIncident(someTenants, {
      variants: { pausedUnconnected },
      consistencySeconds: 0.5,
    });
    await incident.succeed(...pauseBilling);
    const connected = (is: boolean) => ({ status: { auth: { connected: is, connectors: [] } } });
    for (const id of [1, 2, 4]) await incident.change(id, connected(id !== 2));
    const resumed = await incident.run("resume");
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("INC-42: 2 tenants resumed.");
    expect(resumed.stdout).toMatch(
      /bluebird.*: its customer must connect it first, as\s+status\.auth\.connected is false/,
    );
    expect(resumed.stdout).toContain("1 tenant is still in the note.");
    expect(await incident.running()).toEqual(["acme", "dune", "fjord"]);

    await incident.change(2, connected(true));
    const again = await incident.run("resume");
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("INC-42: 1 tenant resumed.") });
    expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
  },
);
