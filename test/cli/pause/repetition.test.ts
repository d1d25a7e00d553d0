import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { type Incident, openIncident, runAndKillWhen } from "./incident-fixture.ts";

// The same command again completes what it has begun, although what it has done changes whom its --where selects.

vi.setConfig({ testTimeout: 60_000 }); // several processes start at once

const noteName = "integration-platform-pause.json";
const production = "Pulumi.production.yaml";
const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42"];
const pauseRunning = [...pauseBilling, "--where", 'not paused and name != "dune"'];
const resumePaused = ["resume", "--where", 'paused and name != "dune"'];

async function openStack(): Promise<Incident & { file: string }> {
  const incident = await openIncident();
  const file = `config:
  integration-platform:baseUrl: ${incident.emulator.url}
  integration-platform:tenants:
    acme: { integration: billing, paused: false }
    bluebird: { integration: billing, paused: false }
    dune: { integration: billing, paused: false }
`;
  await incident.write(production, file);
  return { ...incident, file };
}

async function coveredNames({ read }: Incident): Promise<unknown> {
  const overrides = parse(await read(production)).config["integration-platform:overrides"] ?? [];
  return overrides.flatMap((one: { tenants?: string[] }) => one.tenants ?? ["all"]);
}

/** A request at which the platform closes the connection, until the command is killed. */
interface Step {
  method: "PATCH" | "GET";
  path?: string;
}

async function runAndKillAt(incident: Incident, args: readonly string[], step: Step): Promise<void> {
  const { emulator } = incident;
  emulator.clearRequests();
  // A dry run sends the same GETs as what comes before the first PATCH.
  if (step.method === "GET") await incident.run(...args, "--dry-run");
  const skip = emulator.requests().filter(({ path }) => new RegExp(step.path ?? "").test(path)).length;
  emulator.fault({ kind: "cut-before", match: { ...step }, skip, times: 99 });
  await runAndKillWhen(incident, args, () => emulator.requests().some(({ fault }) => fault === "cut-before"));
  emulator.clearFaults();
}

const steps: [string, Step][] = [
  ["at its first PATCH", { method: "PATCH" }],
  ["at its last PATCH", { method: "PATCH", path: "/2$" }],
  ["while it reads what the PATCHes did", { method: "GET", path: "^/v2/tenants$" }],
];

test.concurrent.each(steps)(
  "a pause of running tenants that is killed %s is completed by the same command",
  async (_, step) => {
    await using incident = await openStack();
    await runAndKillAt(incident, pauseRunning, step);
    await incident.succeed(...pauseRunning);
    expect(await incident.running()).toEqual(["dune", "fjord"]);
    expect(await coveredNames(incident)).toEqual(["acme", "bluebird"]);
    await incident.succeed("resume");
    expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
    expect(await incident.read(production)).toBe(incident.file);
  },
);

test.concurrent("a pause that was killed before it wrote the override is completed by the same command", async () => {
  await using incident = await openStack();
  await incident.succeed(...pauseRunning);
  await incident.write(production, incident.file);
  const preview = await incident.run(...pauseRunning, "--dry-run");
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining("2 paused by an earlier run") });
  await incident.succeed(...pauseRunning);
  expect(await coveredNames(incident)).toEqual(["acme", "bluebird"]);
});

test.concurrent("a repetition leaves what somebody has resumed, unless its condition holds for it again", async () => {
  await using incident = await openStack();
  const pauseEarly = [...pauseBilling, "--where", 'not paused and name < "c"'];
  await incident.succeed(...pauseEarly);
  await incident.change(1, { paused: false, name: "zephyr" });
  await incident.change(2, { paused: false });
  await incident.succeed(...pauseEarly);
  expect(await incident.running()).toEqual(["zephyr", "dune", "fjord"]);
});

test.concurrent("a repetition leaves what `resume` has resumed, and other conditions complete nothing", async () => {
  await using incident = await openStack();
  await incident.succeed(...pauseRunning);
  await incident.succeed("resume", "--where", 'name == "acme"');
  await incident.change(1, { paused: true }); // somebody else
  await incident.succeed(...pauseRunning);
  await incident.change(1, { paused: false });
  const notes = JSON.parse(await incident.read(noteName)).tenants;
  expect(notes.map(({ name }: { name: string }) => name)).toEqual(["bluebird"]);

  await incident.change(2, { paused: false });
  await incident.succeed(...pauseBilling, "--where", 'name == "acme"');
  expect(await incident.running()).toEqual(["bluebird", "dune", "fjord"]);
});

test.concurrent.each(steps)(
  "a resume of paused tenants that is killed %s is completed by the same command",
  async (_, step) => {
    await using incident = await openStack();
    await incident.succeed(...pauseBilling);
    await runAndKillAt(incident, resumePaused, step);
    await incident.succeed(...resumePaused);
    expect(await incident.running()).toEqual(["acme", "bluebird", "fjord"]);
    expect(await coveredNames(incident)).toEqual(["dune"]);
    await incident.succeed("resume");
    expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
    expect(await incident.read(production)).toBe(incident.file);
  },
);

test.concurrent("a resume that was killed before it changed the override is completed by the same command", async () => {
  await using incident = await openStack();
  await incident.succeed(...pauseBilling);
  const paused = await incident.read(production);
  const { overrides } = JSON.parse(await incident.read(noteName));
  await incident.succeed(...resumePaused);
  await incident.write(production, paused);
  const note = JSON.parse(await incident.read(noteName));
  await incident.write(noteName, JSON.stringify({ ...note, overrides: [...overrides, ...note.overrides] }));
  await incident.succeed(...resumePaused);
  expect(await coveredNames(incident)).toEqual(["dune"]);
});

test.concurrent("a pause after an unfinished resume is not undone when that resume is repeated", async () => {
  await using incident = await openStack();
  await incident.succeed(...pauseBilling);
  const resumeBluebird = ["resume", "--where", 'name == "bluebird"'];
  await runAndKillAt(incident, resumeBluebird, { method: "GET", path: "^/v2/tenants$" });
  expect(await incident.running()).toEqual(["bluebird", "fjord"]);
  await incident.succeed(...pauseBilling, "--where", "id == 2");
  await incident.change(2, { name: "robin" });
  await incident.run(...resumeBluebird);
  expect(await incident.running()).toEqual(["fjord"]);
});

test.concurrent.each([
  ["names its integration by the id", (note: object) => note, ["--integration", "101"]],
  [
    "has a note of a version that noted no selections",
    ({ selections: _, ...note }: { selections?: unknown }) => note,
    ["--integration", "billing"],
  ],
])("a repetition of a killed pause completes it if it %s", async (_, asNoted, integration) => {
  await using incident = await openStack();
  await runAndKillAt(incident, pauseRunning, { method: "GET", path: "^/v2/tenants$" });
  await incident.write(noteName, JSON.stringify(asNoted(JSON.parse(await incident.read(noteName)))));
  const again = ["pause", ...integration, "--reason", "INC-42", "--where", 'not paused and name != "dune"'];
  await incident.succeed(...again);
  expect(await coveredNames(incident)).toEqual(["acme", "bluebird"]);
});
