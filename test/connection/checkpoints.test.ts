import { expect, test } from "vitest";
import { checkpointsOf } from "../../src/connection/checkpoints.ts";

test.each([
  [{}, false, undefined],
  [{ PULUMI_SKIP_CHECKPOINTS: "false" }, false, undefined],
  [{ PULUMI_SKIP_CHECKPOINTS: "1" }, true, /only when this command ends/],
  [{ PULUMI_SKIP_CHECKPOINTS: "TRUE", INTEGRATION_PLATFORM_CHECKPOINTS: "end" }, true, /only when this command ends/],
  [{ INTEGRATION_PLATFORM_CHECKPOINTS: "end" }, false, /does nothing here.*set PULUMI_SKIP_CHECKPOINTS=true/],
  [{ INTEGRATION_PLATFORM_CHECKPOINTS: "each" }, false, undefined],
])("with %j, whether checkpoints are left out is %j", (environment, areLeftOut, warning) => {
  const found = checkpointsOf(environment);
  expect(found.areLeftOut).toBe(areLeftOut);
  if (warning === undefined) expect(found.warning).toBeUndefined();
  else expect(found.warning).toMatch(warning);
});
