import { test } from "vitest";
import { holdsOnlyOn } from "../engine/harness/provider-under-test.ts";
import { eventually } from "../eventually.ts";
import { stagedHost } from "./staged-host.ts";

test("a production stack is warned once of tenants on Latest, whatever language its program has", async (context) => {
  holdsOnlyOn(
    "native",
    context,
    "the engine does not tell the host of dynamic providers the stack, so the classes warn",
  );
  const { expect } = context;
  await using staged = await stagedHost({ stack: "production" });
  const { host } = staged;
  const acme = { integration: 101, name: "acme", release: { channel: "Latest" } };
  for (const name of ["acme", "beta"]) await host.check({ ...acme, name });
  await host.check({ ...acme, name: "gamma", release: { channel: "Nowhere" } }); // its failure is answered after the warnings
  await eventually(() =>
    expect(host.output()).toContain("warning: stack production has tenants on the channel Latest"),
  );
  expect(host.output().match(/on the channel Latest/g)).toHaveLength(1);
});
