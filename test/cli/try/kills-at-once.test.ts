import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { EmulatorOptions, Seed } from "../../../src/emulator/index.ts";
import { changedAnswers } from "../../changed-answers.ts";
import { commandLine } from "../run-cli.ts";
import { seed, tryStage } from "./stage.ts";

type Stage = Awaited<ReturnType<typeof tryStage>>;

/** A request that a process is ended at, as soon as the platform has served it: method, end of the path, and which of them. */
type Point = readonly [string, string, RegExp, number];

const recorded: Point = ["its record is written", "PATCH", /\/metadata$/, 1];
const points: readonly Point[] = [
  recorded,
  ["the tenant is moved", "PATCH", /\/\d+$/, 1],
  ["the init sync is requested", "POST", /\/sync$/, 1],
  ["the normal sync is requested", "POST", /\/sync$/, 2],
  ["the tenant is moved back", "PATCH", /\/\d+$/, 2],
];

/** What was done to a tenant, and by which process. */
interface Deed {
  by: string;
  tenant: number;
}

/** A process that tries a release on one tenant of the pool, behind a server that sees what it sends. */
async function startTry(on: Stage, deeds: Deed[], args: string[], end?: { at: Point; signal: NodeJS.Signals }) {
  const by = args.join(" ");
  let seen = 0;
  const between = await changedAnswers((body, url, method) => {
    const path = url.replace(/\?.*/, "");
    const tenant = Number(/^\/v2\/tenants\/(\d+)/.exec(path)?.[1]);
    if (method !== "GET" && !path.endsWith("/metadata")) deeds.push({ by, tenant });
    if (end === undefined) return body;
    const [, wanted, suffix, count] = end.at;
    if (method !== wanted || !suffix.test(path)) return body;
    seen += 1;
    if (seen === count) trying.kill(end.signal);
    return body;
  });
  between.target = on.emulator.url;
  const platform = { INTEGRATION_PLATFORM_BASE_URL: between.url, INTEGRATION_PLATFORM_API_KEY: on.emulator.apiKey };
  const command = [commandLine, ...on.command(...args, "--pool", 'name ~= "^test-"', "--wait", "100")];
  const trying = spawn(process.execPath, command, { env: { ...process.env, ...platform, ...on.env } });
  onTestFinished(() => void trying.kill("SIGKILL"));
  const ended = once(trying, "exit").then(async ([code, signal]) => {
    await between[Symbol.asyncDispose]();
    return { by, code, signal };
  });
  return { kill: () => trying.kill("SIGKILL"), ended };
}

/** Three releases beside the one that the tenants run, and a pool of two tenants. */
const seedOfThree: Seed = {
  integrations: (seed.integrations ?? []).map((one) => ({
    ...one,
    releases: [...(one.releases ?? []), { id: 15, name: "five", tag: "pr-5" }],
  })),
  tenants: seed.tenants ?? [],
};
const releases = ["12", "14", "15"];

/** No process did anything to a tenant between two deeds of another one, or after one that was killed. */
function expectNoneShared(deeds: readonly Deed[], killed: readonly string[]) {
  for (const tenant of [1, 2]) {
    const all = deeds.filter((deed) => deed.tenant === tenant).map(({ by }) => by);
    const turns = all.filter((by, at) => by !== all[at - 1]);
    expect(turns).toEqual([...new Set(turns)]);
    expect(turns.slice(0, -1).filter((by) => killed.includes(by))).toEqual([]);
  }
}

/** Puts all back by one command, and looks at the tenants by raw HTTP. */
async function expectAllBack(on: Stage, more: object, ...args: string[]) {
  on.emulator.setLag({ seconds: 0 });
  expect(await on.run("--restore", ...args)).toMatchObject({ code: 0, stderr: "" });
  const channel = { integration_release_id: null, integration_release_channel: "Default" };
  expect(await Promise.all([on.raw(1), on.raw(2)])).toEqual([
    { integration_release_id: 11, integration_release_channel: null, metadata: { cursor: 1, ...more } },
    { ...channel, metadata: { cursor: 2, ...more } },
  ]);
}

const lagging: EmulatorOptions["variants"] = { metadata: "merge-patch", visibility: "lagging" };

test.each(points)(
  "when %s, a kill of one of three tries at once leaves the others their tenant",
  async (...point) => {
    await using on = await tryStage({ seed: seedOfThree, variants: lagging });
    on.emulator.setLag({ seconds: 0.3 });
    const deeds: Deed[] = [];
    const end = { at: point, signal: "SIGKILL" } as const;
    const all = await Promise.all(
      releases.map((id, at) => startTry(on, deeds, ["--release", id], at === 0 ? end : undefined)),
    );
    const ends = await Promise.all(all.map(({ ended }) => ended));
    expect(ends.map(({ code, signal }) => signal ?? code)).toEqual(["SIGKILL", 0, 0]);
    expectNoneShared(deeds, ["--release 12"]);
    await expectAllBack(on, {}, "--tag", "pr-2");
  },
  120_000,
);

test.each(points)(
  "when %s, a kill of all of three tries at once is made good by one command",
  async (...point) => {
    await using on = await tryStage({ seed: seedOfThree, variants: { metadata: "replace" } });
    const deeds: Deed[] = [];
    const end = { at: point, signal: "SIGKILL" } as const;
    const all = await Promise.all(releases.map((id) => startTry(on, deeds, ["--release", id], end)));
    let alive = all.length;
    // the third one waits for a tenant, and is killed while it does
    const killLast = () => {
      alive -= 1;
      if (alive === 1) for (const { kill } of all) kill();
    };
    for (const { ended } of all) void ended.then(killLast);
    const ends = await Promise.all(all.map(({ ended }) => ended));
    expect(ends.map(({ signal }) => signal)).toEqual(["SIGKILL", "SIGKILL", "SIGKILL"]);
    expectNoneShared(
      deeds,
      ends.map(({ by }) => by),
    );
    await expectAllBack(on, { integrationPlatformTry: null }, "--pool", 'name ~= "^test-"');
  },
  120_000,
);

test("a try that is killed once it has asked for a build leaves it to the next one, which asks for none", async () => {
  await using on = await tryStage({ variants: { metadata: "replace" } });
  const asked = ["the build is asked for", "POST", /\/build$/, 1] as const;
  const { ended } = await startTry(on, [], ["--tag", "pr-5"], { at: asked, signal: "SIGKILL" });
  expect((await ended).signal).toBe("SIGKILL");
  const pool = ["--pool", 'name ~= "^test-"', "--syncs", "init"];
  expect(await on.run("--tag", "pr-5", ...pool)).toMatchObject({ code: 0 });
  expect(on.requested("POST /v2/sourcecontrol/build")).toHaveLength(1);
});

test("Ctrl-C leaves no record although the platform does not show it yet", async () => {
  await using on = await tryStage({ variants: { metadata: "replace", visibility: "lagging" } });
  on.emulator.setLag({ seconds: 0.3 });
  const { ended } = await startTry(on, [], ["--release", "12"], { at: recorded, signal: "SIGINT" });
  expect((await ended).code).toBe(1);
  for (const id of [1, 2]) expect(Object(await on.raw(id)).metadata.integrationPlatformTry ?? null).toBe(null);
});
