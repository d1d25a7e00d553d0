import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { expectSuccess, type Incident, openIncident } from "./incident-fixture.ts";

const noteName = "integration-platform-pause.json";
const production = "Pulumi.production.yaml";
const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42"];
const pauseShop = ["pause", "--integration", "shop", "--reason", "INC-42"];
const ranAtFirst = ["acme", "bluebird", "dune", "fjord"];

/** An incident with a stack's file that declares all tenants, and the file's text. */
async function openStack(): Promise<Incident & { file: string }> {
  const incident = await openIncident();
  const file = `config:
  integration-platform:baseUrl: ${incident.emulator.url}
  integration-platform:tenants: # all of them
    acme: { integration: billing, paused: false }
    bluebird: { integration: billing, paused: false }
    cedar: { integration: billing, paused: true }
    dune: { integration: billing, paused: false }
    fjord: { integration: shop, paused: false }
`;
  await incident.write(production, file);
  return { ...incident, file };
}

async function overridesOf(incident: Incident): Promise<unknown> {
  return parse(await incident.read(production)).config["integration-platform:overrides"];
}

async function notedAsRunning(incident: Incident): Promise<string[]> {
  const { tenants } = JSON.parse(await incident.read(noteName));
  return tenants.flatMap(({ name, wasPaused }: { name: string; wasPaused: boolean }) => (wasPaused ? [] : [name]));
}

/** The next PATCH of a tenant is served so much later. By default, it waits until the faults are cleared. */
function delayPatch({ emulator }: Incident, id: number, ms = 60_000): void {
  emulator.fault({ kind: "delay", ms, match: { method: "PATCH", path: `/${id}$` } });
}

function isPatched({ patches }: Incident, id: number): boolean {
  return patches().some((patch) => patch.id === id);
}

/** The next read of a tenant's metadata waits until the faults are cleared. */
function holdMetadata({ emulator }: Incident): void {
  emulator.fault({ kind: "delay", ms: 60_000, match: { method: "GET", path: "/metadata" } });
}

function isMetadataRead({ emulator }: Incident): boolean {
  return emulator.requests().some(({ path }) => path.includes("/metadata"));
}

/** Whether the platform has served the PATCH of a tenant, and a list after it. */
function isListedAfterPatch({ emulator }: Incident, id: number): boolean {
  const requests = emulator.requests();
  const at = requests.findIndex(({ method, path }) => method === "PATCH" && path.endsWith(`/${id}`));
  const [patch, ...later] = at === -1 ? [] : requests.slice(at);
  return patch?.status === 200 && later.some(({ method, status }) => method === "GET" && status === 200);
}

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await sleep(10);
}

/** Takes the lock of the note, as another command does, and returns how to release it. */
async function lockNote({ folder }: Incident): Promise<() => Promise<void>> {
  const path = join(folder, `${noteName}.lock`);
  await writeFile(path, String(process.pid), { flag: "wx" });
  return () => rm(path);
}

describe.concurrent("two pauses of one incident", { timeout: 60_000 }, () => {
  test.each([
    ["first", 2500, 6000],
    ["last", 6000, 2500],
  ])("keep what both note and write, if the one that began first ends %s", async (_, ofFirst, ofSecond) => {
    await using incident = await openStack();
    delayPatch(incident, 4, ofFirst);
    delayPatch(incident, 5, ofSecond);
    const first = incident.run(...pauseBilling);
    await until(() => isPatched(incident, 4));
    const second = incident.run(...pauseShop);
    expectSuccess(...(await Promise.all([first, second])));
    expect(await notedAsRunning(incident)).toEqual(ranAtFirst);
    expect(await overridesOf(incident)).toEqual([
      { paused: true, reason: "INC-42", integration: "billing" },
      { paused: true, reason: "INC-42", integration: "shop" },
    ]);
    expect(await incident.files()).toEqual([production, noteName]);

    expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await incident.read(production)).toBe(incident.file);
    expect(await incident.running()).toEqual(ranAtFirst);
  });

  test.each([
    ["two processes", "runProcess"],
    ["one process", "run"],
  ] as const)("write each override once if they end at the same time, in %s", async (_, run) => {
    await using incident = await openStack();
    const outcomes = await Promise.all([incident[run](...pauseBilling), incident[run](...pauseShop)]);
    expectSuccess(...outcomes);
    expect(await notedAsRunning(incident)).toEqual(expect.arrayContaining(ranAtFirst));
    expect(await overridesOf(incident)).toHaveLength(2);
    await incident.succeed("resume");
    expect(await incident.read(production)).toBe(incident.file);
  });

  test("write into the same file as the pause of another incident", async () => {
    await using incident = await openStack();
    const ofShop = ["--note", "shop.json"];
    const outcomes = await Promise.all([
      incident.run(...pauseBilling),
      incident.run("pause", "--integration", "shop", "--reason", "INC-43", ...ofShop),
    ]);
    expectSuccess(...outcomes);
    expect(await overridesOf(incident)).toHaveLength(2);
    const resumed = await Promise.all([incident.run("resume"), incident.run("resume", ...ofShop)]);
    expectSuccess(...resumed);
    expect(await incident.read(production)).toBe(incident.file);
  });
});

test.concurrent("two resumes of two incidents at once do not lose a tenant of both", { timeout: 60_000 }, async () => {
  await using incident = await openStack();
  const others = ["--note", "43.json"];
  await incident.run(...pauseBilling);
  await incident.run("pause", "--integration", "billing", "--reason", "INC-43", ...others);
  await Promise.all([incident.run("resume"), incident.run("resume", ...others)]);
  for (const args of [[], others]) await incident.succeed("resume", ...args);
  expect(await incident.running()).toEqual(ranAtFirst);
  expect(await incident.read(production)).toBe(incident.file);
});

describe.concurrent("a resume of some tenants", { timeout: 60_000 }, () => {
  test("fails and writes nothing if another resume completes the note meanwhile", async () => {
    await using incident = await openStack();
    await incident.run(...pauseBilling);
    incident.emulator.clearRequests();
    delayPatch(incident, 2);
    const partial = incident.run("resume", "--where", 'name == "bluebird"');
    await until(() => isPatched(incident, 2));
    expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
    incident.emulator.clearFaults();

    const { code, stdout, stderr } = await partial;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      'another `resume` has completed the note of "INC-42" meanwhile: this one has written no file',
    );
    expect(await incident.read(production)).toBe(incident.file);
    expect(await incident.files()).toEqual([production, expect.stringContaining(`${noteName}.done-`)]);
    expect(await incident.running()).toEqual(ranAtFirst);
  });

  test("resumes nobody if its tenants belong to another incident meanwhile", async () => {
    await using incident = await openStack();
    await incident.run(...pauseBilling);
    holdMetadata(incident);
    const partial = incident.run("resume", "--where", 'metadata.plan == "tin"');
    await until(() => isMetadataRead(incident));
    await incident.succeed("resume");
    await incident.run("pause", "--integration", "billing", "--reason", "INC-43");
    const [note, file] = [await incident.read(noteName), await incident.read(production)];
    incident.emulator.clearFaults();

    const { code, stderr } = await partial;
    expect(code).toBe(1);
    expect(stderr).toContain('has the reason "INC-43" now');
    expect(await incident.running()).toEqual(["fjord"]);
    expect([await incident.read(noteName), await incident.read(production)]).toEqual([note, file]);
  });
});

describe.concurrent("a pause beside a resume of the same note", { timeout: 60_000 }, () => {
  /** With dune, so that the pause verifies it although the PATCH of another pause is still on its way. */
  const othersToo = 'name in ("bluebird", "dune")';

  test("notes again what it paused after the resume, and nothing else", async () => {
    await using incident = await openStack();
    await incident.succeed(...pauseBilling, "--where", 'name == "acme"');
    delayPatch(incident, 4);
    const slow = incident.run(...pauseBilling, "--where", 'name == "dune"');
    await until(() => isPatched(incident, 4));
    await incident.succeed(...pauseBilling, "--where", othersToo);
    expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await incident.read(production)).toBe(incident.file);
    incident.emulator.clearFaults();

    expect(await slow).toMatchObject({ code: 0, stderr: "" });
    expect(await incident.running()).toEqual(["acme", "bluebird", "fjord"]);
    expect(await notedAsRunning(incident)).toEqual(["dune"]);
    expect(await overridesOf(incident)).toMatchObject([{ tenants: ["dune"] }]);
    expect(await incident.run("resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await incident.running()).toEqual(ranAtFirst);
    expect(await incident.read(production)).toBe(incident.file);
  });

  test("names what it paused if the note is about another incident meanwhile", async () => {
    await using incident = await openStack();
    delayPatch(incident, 4);
    const slow = incident.run(...pauseBilling, "--where", 'name == "dune"');
    await until(() => isPatched(incident, 4));
    await incident.run(...pauseBilling, "--where", othersToo);
    await incident.run("resume");
    await incident.run("pause", "--integration", "shop", "--reason", "INC-43");
    const [note, file] = [await incident.read(noteName), await incident.read(production)];
    incident.emulator.clearFaults();

    const { code, stdout, stderr } = await slow;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain('has the reason "INC-43" now');
    expect(stderr).toContain("are in no note: resume them by hand: dune (4, billing)\n");
    expect([await incident.read(noteName), await incident.read(production)]).toEqual([note, file]);
  });

  test("fails for the tenants that the resume has resumed after it", async () => {
    await using incident = await openStack();
    delayPatch(incident, 4);
    const slow = incident.run(...pauseBilling);
    await until(() => isPatched(incident, 4));
    const release = await lockNote(incident);
    incident.emulator.clearFaults();
    await until(() => isListedAfterPatch(incident, 4));
    await sleep(2000);
    const note = JSON.parse(await incident.read(noteName));
    const tenants = note.tenants.filter(({ name }: { name: string }) => name !== "acme");
    await incident.write(noteName, JSON.stringify({ ...note, tenants, wholeIntegrations: [] }));
    await incident.change(1, { paused: false });
    await release();

    const { code, stdout } = await slow;
    expect(code).toBe(1);
    expect(stdout).toContain("Not paused:\n  acme (1, billing): a `resume` has resumed it meanwhile");
    expect(await notedAsRunning(incident)).toEqual(["bluebird", "dune"]);
    expect(await overridesOf(incident)).toMatchObject([{ tenants: ["bluebird", "dune"] }]);
  });

  test("pauses what the resume has resumed since the pause listed the tenants", async () => {
    await using incident = await openStack();
    await incident.run(...pauseBilling);
    holdMetadata(incident);
    const slow = incident.run(...pauseBilling, "--where", 'metadata.plan == "gold"');
    await until(() => isMetadataRead(incident));
    await incident.succeed("resume");
    incident.emulator.clearFaults();

    expect(await slow).toMatchObject({ code: 0 });
    expect(await incident.running()).toEqual(["bluebird", "fjord"]);
    expect(await notedAsRunning(incident)).toEqual(["acme", "dune"]);
    await incident.succeed("resume");
    expect(await incident.running()).toEqual(ranAtFirst);
    expect(await incident.read(production)).toBe(incident.file);
  });

  test("makes the resume keep the tenants that are paused again", async () => {
    await using incident = await openStack();
    await incident.run(...pauseBilling);
    incident.emulator.clearRequests();
    delayPatch(incident, 4);
    const slow = incident.run("resume");
    await until(() => isPatched(incident, 4));
    const release = await lockNote(incident);
    incident.emulator.clearFaults();
    await until(() => isListedAfterPatch(incident, 4));
    await sleep(2000);
    const note = JSON.parse(await incident.read(noteName));
    await incident.write(noteName, JSON.stringify({ ...note, at: new Date().toISOString() }));
    await incident.change(1, { paused: true });
    await release();

    const { code, stdout, stderr } = await slow;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Another `pause` or `resume` holds .*: waiting for up to 60 s\.\n$/);
    expect(stdout).toContain("Not resumed:\n  acme (1, billing): a `pause` has paused it meanwhile");
    expect(await notedAsRunning(incident)).toEqual(["acme"]);
    expect(await overridesOf(incident)).toMatchObject([{ tenants: ["acme"] }]);
  });
});

test.concurrent("while another command holds the note, a pause waits and says so, and dry runs do not wait", {
  timeout: 60_000,
}, async () => {
  await using incident = await openStack();
  await incident.run(...pauseBilling, "--no-override");
  const note = await incident.read(noteName);
  const release = await lockNote(incident);
  expect(await incident.run(...pauseShop, "--dry-run")).toMatchObject({ code: 0, stderr: "" });
  expect(await incident.run("resume", "--dry-run")).toMatchObject({ code: 0, stderr: "" });
  const waiting = incident.run(...pauseShop);
  await sleep(3000);
  expect(await incident.running()).toEqual(["fjord"]);
  expect([await incident.read(noteName), await incident.read(production)]).toEqual([note, incident.file]);

  await release();
  const { code, stderr } = await waiting;
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Another `pause` or `resume` holds .*: waiting for up to 60 s\.\n$/);
  expect(await incident.running()).toEqual([]);
});

test.concurrent("a pause refuses a note that another pause has written meanwhile and whose --until has passed", {
  timeout: 60_000,
}, async () => {
  await using incident = await openStack();
  await incident.run(...pauseShop);
  const past = { ...JSON.parse(await incident.read(noteName)), until: "2020-01-01T00:00:00Z" };
  const release = await lockNote(incident);
  const waiting = incident.run(...pauseBilling);
  await sleep(3000);
  await incident.write(noteName, JSON.stringify(past));
  await release();

  const { code, stderr } = await waiting;
  expect(code).toBe(1);
  expect(stderr).toContain("has passed: give a new --until. Nothing was paused");
  expect(await notedAsRunning(incident)).toEqual(["fjord"]);
  expect(await incident.running()).toEqual(["acme", "bluebird", "dune"]);
});
