import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEmulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { type Variants, variantValues } from "../../src/emulator/variants.ts";
import { variantsOfProfile } from "../../src/emulator/variants-of-profile.ts";
import { answersOf, type Profile, parseProfile } from "../../src/platform-profile/profile.ts";
import { runCli } from "../cli/run-cli.ts";
import { someTenants } from "../cli/tenants/some-tenants.ts";
import { call } from "../emulator/running-emulator.ts";
import { eventually } from "../eventually.ts";
import { pairwise } from "../model/pairwise.ts";
import { listed, liveNames } from "./listed-tenants.ts";

async function start(options: EmulatorOptions = {}) {
  const emulator = await createEmulator(options);
  const out = join(mkdtempSync(join(tmpdir(), "calibrate-")), "platform.json");
  return {
    emulator,
    out,
    run: (...args: string[]) => runCli(emulator, ["calibrate", "--out", out, ...args]),
    profile: (): Profile => parseProfile(readFileSync(out, "utf8"), out),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

const writing = ["--write", "--yes", "--integration", "crm-to-billing"];

describe("calibrate --write", () => {
  const parameters: Record<string, readonly string[]> = {
    ...variantValues,
    // what these play is not asked, or takes too long here
    ...{ builds: ["quick"], visibility: ["immediate", "delayed"], busy: ["no"], refusals: ["plain", "repeat"] },
    absentField: ["none", "dates", "status", "archived"],
  };

  test.concurrent.each(pairwise(parameters).map((row, at) => [at, row] as const))(
    "finds out how the emulator behaves, or says that it cannot: row %i",
    async (_, row) => {
      const variants: Partial<Variants> = row;
      await using on = await start({ variants });
      const { code, stderr, stdout } = await on.run(...writing);
      expect({ code, stderr }, JSON.stringify(row)).toEqual({ code: 0, stderr: "" });
      const answers = answersOf(on.profile());
      const hasOwnForms =
        variants.numbers === "strings" ||
        variants.textForm === "trimmed" ||
        variants.listDefaults === "added" ||
        variants.emptyValues === "dropped";
      expect(answers, JSON.stringify(row)).toMatchObject({
        "tenant.patch": ["name", "schedule", "release", "paused", "configs"],
        "configs.patch": variants.configs,
        "metadata.patch": variants.metadata,
        "paused.unconnected": variants.pausedUnconnected,
        "values.form": hasOwnForms ? "own" : "kept",
        "schedule.form": { kept: "kept", suffixed: "own", ranges: "own", shifted: "shifted" }[row.scheduleForm ?? ""],
        "schemas.enforced": "yes",
      });
      const display: Record<string, string> = {
        no: "shown",
        yes: "masked",
        other: "masked",
        "left-out": "omitted",
        null: "null",
      };
      if (variants.emptyValues === "dropped") display.null = "omitted"; // as a platform without nulls shows it
      expect([display[row.maskedConfigs ?? ""], undefined]).toContain(answers["secrets.display"]);
      const shown = { object: "stored", echoed: "echoed", nothing: "nothing", empty: "nothing" };
      expect([shown[variants.patchAnswer ?? "object"], undefined]).toContain(answers["answers.show"]);
      expect(stdout).toContain("a wrong key is answered with 403");
      await eventually(async () => expect(await liveNames(on.emulator)).toEqual([]));
    },
  );

  test.concurrent("measures how long lists lag", async () => {
    await using on = await start({ variants: { visibility: "lagging" }, lagSeconds: 0.7 });
    await on.run(...writing);
    const lag = answersOf(on.profile())["reads.lagSeconds"];
    expect(lag).toBeGreaterThan(0.5);
    expect(lag).toBeLessThan(10);
  });

  test.concurrent("changes no other tenant, and shows no value, secret or key", async () => {
    await using on = await start({ seed: someTenants });
    const before = (await listed(on.emulator)).filter(({ archived }) => !archived);
    on.emulator.clearRequests();
    const { stdout, stderr } = await on.run("--write", "--yes", "--integration", "billing", "--json");
    const writes = on.emulator.requests().filter(({ method }) => method !== "GET");
    const scratch = (await listed(on.emulator)).find(({ name }) => name.startsWith("calibrate-"));
    expect(writes.every(({ path }) => path === "/v2/tenants" || path.startsWith(`/v2/tenants/${scratch?.id}`))).toBe(
      true,
    );
    expect((await listed(on.emulator)).filter(({ archived }) => !archived)).toEqual(before);
    const values = (someTenants.tenants ?? []).flatMap(({ configs }) => Object.values(configs ?? {}));
    const texts = [on.emulator.apiKey, ...values].filter((text) => typeof text === "string" && text.length > 3);
    for (const text of texts) expect(stdout + stderr + readFileSync(on.out, "utf8")).not.toContain(text);
    expect(
      on.emulator.requests().filter(({ method, path }) => method !== "GET" || !path.startsWith("/v2/tenants")).length,
    ).toBeLessThan(60);
  });

  test.concurrent("needs no more than the specification says: configs of the scratch tenant can be given", async () => {
    const schema = {
      type: "object",
      required: ["code"],
      properties: { code: { type: "string", pattern: "^[A-Z]{3}$" } },
    };
    const release = { id: 2, name: "v1", config_schema: schema };
    const seed = { integrations: [{ id: 1, name: "one", default_release_id: 2, releases: [release] }] };
    await using on = await start({ seed });
    const refused = await on.run("--write", "--yes", "--integration", "one");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--configs");
    const file = `${on.out}.configs`;
    writeFileSync(file, JSON.stringify({ code: "ABC" }));
    const { code } = await on.run("--write", "--yes", "--integration", "one", "--configs", file);
    expect(code).toBe(0);
    expect(answersOf(on.profile())["configs.patch"]).toBe("replace");
  });
});

describe("calibrate", () => {
  test.concurrent("alone only reads", async () => {
    await using on = await start({ seed: someTenants });
    const { code, stdout } = await on.run("--json");
    expect(code).toBe(0);
    expect(on.emulator.requests().map(({ method }) => method)).toEqual(on.emulator.requests().map(() => "GET"));
    expect(JSON.parse(stdout).unknown).toContainEqual({
      question: "configs.patch",
      why: "only --write can tell",
      otherwise: expect.stringContaining("the whole object after a fresh read"),
    });
  });

  test.concurrent.each([
    ["listed", /the list of tenant \d+'s runs shows \d+, with the modes/],
    ["missing", "there is no list of a tenant's runs"],
  ] as const)("says whether there is a list of a tenant's runs (%s)", async (runsList, text) => {
    await using on = await start({ seed: someTenants, variants: { runsList } });
    const { observations } = JSON.parse((await on.run("--json")).stdout);
    expect(observations).toContainEqual(expect.stringMatching(text));
  });

  test.concurrent("shows what has changed since the last time", async () => {
    await using on = await start();
    await on.run(...writing);
    await call(on.emulator, "PATCH", "/_emulator/variants", { configs: "merge" });
    const { code, stdout } = await on.run(...writing);
    expect(code).toBe(2);
    expect(stdout).toContain("configs.patch: replace -> merge");
    expect((await on.run(...writing)).code).toBe(0);
  });

  test.concurrent("keeps what somebody declared by hand", async () => {
    await using on = await start();
    await on.run();
    const profile = on.profile();
    const declared = { ...profile, answers: { "configs.patch": { answer: "merge", basis: "declared" } } };
    writeFileSync(on.out, JSON.stringify(declared));
    await on.run(...writing);
    expect(on.profile().answers["configs.patch"]).toEqual({ answer: "merge", basis: "declared" });
  });

  test.concurrent("does not write over the profile of another platform, or what is none", async () => {
    await using on = await start();
    for (const text of ["{", JSON.stringify({ version: 1, baseUrl: "https://other.example.com", answers: {} })]) {
      writeFileSync(on.out, text);
      const { code, stderr } = await on.run();
      expect(code).toBe(1);
      expect(stderr).toContain(
        text === "{" ? "is JSON that is cut short" : "is the profile of https://other.example.com",
      );
      expect(readFileSync(on.out, "utf8")).toBe(text);
    }
  });

  test.concurrent("finds for an emulator that plays a profile what is in it", async () => {
    const variants: Partial<Variants> = {
      ...{ configs: "merge", metadata: "replace", pausedUnconnected: "refused", scheduleForm: "suffixed" },
      ...{ patchAnswer: "echoed", maskedConfigs: "left-out", textForm: "trimmed" },
    };
    await using measured = await start({ variants });
    await measured.run(...writing);
    const answers = answersOf(measured.profile());
    await using playing = await start({ variants: variantsOfProfile(answers).variants });
    await playing.run(...writing);
    expect(answersOf(playing.profile())).toEqual(answers);
  });
});
