import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { engineEnvironment } from "../../engine/engine-environment.ts";

const built = { command: "/e/bin/pulumi", binDirectory: "/e/bin", version: "3.259.0", source: "build" } as const;

describe("engineEnvironment", () => {
  test("puts this Node.js and the engine before everything else on PATH, and this clone's plugin after it", () => {
    const { PATH } = engineEnvironment(built, { PATH: "/usr/bin:/e/bin:/bin" });

    const plugin = join(import.meta.dirname, "../../engine/plugin");
    expect(PATH).toBe(`${dirname(process.execPath)}:/e/bin:/usr/bin:/bin:${plugin}`);
  });

  test("overrides nothing that the user has set", () => {
    const set = {
      PULUMI_SKIP_UPDATE_CHECK: "false",
      NODE_COMPILE_CACHE: "/compiled",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
      PULUMI_BACKEND_URL: "file:///state",
      PULUMI_DIY_BACKEND_ZSTD: "false",
      PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "false",
    };

    expect(engineEnvironment(built, set)).toMatchObject(set);
  });

  test("sets a V8 flag in every Node.js version and puts the user's options last", () => {
    const own = engineEnvironment(built, {}).NODE_OPTIONS;
    const { NODE_OPTIONS } = engineEnvironment(built, { NODE_OPTIONS: "--max-semi-space-size=16" });
    expect(NODE_OPTIONS).toBe(`${own} --max-semi-space-size=16`);

    const program = "console.log(require('v8').cachedDataVersionTag())";
    const tagWith = (options = "") =>
      execFileSync(process.execPath, ["-e", program], { env: { NODE_OPTIONS: options }, encoding: "utf8" });
    expect(tagWith(NODE_OPTIONS)).not.toBe(tagWith()); // the flag is set
  });

  test("makes a file backend faster and changes no other backend", () => {
    const settingsFor = (url: string) =>
      Object.keys(engineEnvironment(built, { PULUMI_BACKEND_URL: url })).filter((name) => name.includes("_DIY_"));

    expect(settingsFor("file:///state")).toEqual([
      "PULUMI_DIY_BACKEND_ZSTD",
      "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS",
    ]);
    expect(settingsFor("s3://bucket")).toEqual([]);
  });

  test("leaves out the engine's checkpoints only where they are wanted at the end", () => {
    const end = engineEnvironment(built, { INTEGRATION_PLATFORM_CHECKPOINTS: "end" });
    expect(end.PULUMI_SKIP_CHECKPOINTS).toBe("true");
    expect(engineEnvironment(built, {})).not.toHaveProperty("PULUMI_SKIP_CHECKPOINTS");
  });

  test("lets an engine that was not built locally download its plugins", () => {
    const environment = engineEnvironment({ ...built, source: "path" }, {});

    expect(environment).not.toHaveProperty("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION");
  });
});
