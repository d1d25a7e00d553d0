import { expect, test } from "vitest";
import { makePulumiMachine } from "./harness/pulumi-machine.ts";

test.each([
  [["up", "--yes"], "true"],
  [["--color", "never", "preview", "--refresh"], "true"],
  [["destroy", "--stack", "refresh"], "true"],
  [["refresh", "--preview-only", "--stack", "up"], ""],
  [["stack", "import"], ""],
])("npm run pulumi -- %j leaves out the differences of refreshed resources: %j", async (args, setting) => {
  await using machine = await makePulumiMachine('echo "$PULUMI_ENABLE_LEGACY_REFRESH_DIFF"');

  expect(await machine.pulumi(args)).toEqual({ code: 0, stdout: `${setting}\n`, stderr: "" });
});

test("a user's own setting is not changed", async () => {
  await using machine = await makePulumiMachine('echo "$PULUMI_ENABLE_LEGACY_REFRESH_DIFF"');

  const { stdout } = await machine.pulumi(["up"], { PULUMI_ENABLE_LEGACY_REFRESH_DIFF: "false" });
  expect(stdout).toBe("false\n");
});
