import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { openRolloutSandbox } from "../../demo/rollout/main.ts";
import { rolloutStory } from "../../demo/rollout/story.ts";
import { textOfCast } from "../../scripts/record-demo/cast.ts";
import { comparableLines } from "../../scripts/record-demo/comparable-lines.ts";
import { rolloutRecording } from "../../scripts/record-demo/files.ts";
import { sendSuccessfully } from "../send-request.ts";

const [pinned, before, broken, repaired] = [911, 912, 913, 914];

test("npm run demo -- rollout: nobody but the canary gets a broken release, and the waves take the repaired one to all", {
  timeout: 600_000, // a dozen commands of the engine
}, async () => {
  const printed: string[] = [];
  using _ = vi.spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(String(text)));
  await using box = await openRolloutSandbox();

  const get = async (path: string) => (await sendSuccessfully(box.emulator, "GET", path)).body;
  const tenants = async () => tenantsSchema.parse(await get("/v2/tenants?limit=500"));
  const on = async (release: number) =>
    (await tenants()).filter((one) => one.integration_release_id === release).map(({ name }) => name);
  const synced = async () => {
    const requests = requestsSchema.parse(await get("/_emulator/requests"));
    const names = new Map((await tenants()).map(({ id, name }) => [String(id), name]));
    return requests.flatMap(({ method, path }) => {
      const id = method === "POST" ? /^\/v2\/tenants\/(\d+)\/sync$/.exec(path)?.[1] : undefined;
      return id === undefined ? [] : [names.get(id)];
    });
  };
  const writes = async () =>
    requestsSchema
      .parse(await get("/_emulator/requests"))
      .filter(({ method, path }) => method !== "GET" && path.startsWith("/v2/"));

  const early = ["acme", "bluebird", "cedar"];
  const unsyncable = ["echo", "grove", "lagoon", "raven"];
  const steps: string[] = [];
  for await (const step of rolloutStory(box)) {
    steps.push(step);
    expect(await on(pinned), step).toEqual(["oldco"]);
    if (step === "created") expect(await on(before)).toHaveLength(39);
    if (step === "failed") {
      expect(await on(broken)).toEqual(["acme"]);
      expect(await on(before)).toHaveLength(38);
      expect(await synced()).toEqual(["acme"]);
    }
    if (step === "taken back") {
      expect(await on(before)).toHaveLength(39);
      expect(await synced()).toEqual([]);
    }
    if (step === "canary") expect(await on(repaired)).toEqual(["acme"]);
    if (step === "held" || step === "ended") expect(await writes()).toEqual([]);
    if (step === "held") expect(await on(repaired)).toEqual(["acme"]);
    if (step === "early") expect((await on(repaired)).toSorted()).toEqual(early);
    if (step === "10%") expect(await on(repaired)).toHaveLength(4);
    if (step === "50%") expect(await on(repaired)).toHaveLength(20);
    if (step === "100%") expect(await on(repaired)).toHaveLength(39);
    for (const name of unsyncable) expect(await synced(), step).not.toContain(name);
    await sendSuccessfully(box.emulator, "DELETE", "/_emulator/requests");
  }

  expect(steps).toEqual(["created", "failed", "taken back", "canary", "held", "early", "10%", "50%", "100%", "ended"]);
  const runs = runsSchema.parse(await get("/_emulator/runs?limit=500"));
  // one for each tenant that can sync, and the canary's on the broken release
  expect(runs).toHaveLength(39 - unsyncable.length + 1);
  const text = printed.join("\n");
  expect(text).toMatch(/v1\.3\.1 +39 +acme/);
  const stale = "docs/public/rollout.cast is what the demo prints: run npm run record-demo after a change";
  const recorded = textOfCast(await readFile(rolloutRecording.castFile, "utf8"));
  expect(comparableLines(text), stale).toEqual(comparableLines(recorded));
});

const tenantsSchema = z.array(
  z.object({ id: z.number(), name: z.string(), integration_release_id: z.number().nullable() }),
);
const requestsSchema = z.array(z.object({ method: z.string(), path: z.string() }));
const runsSchema = z.array(z.object({ tenant_id: z.number() }));
