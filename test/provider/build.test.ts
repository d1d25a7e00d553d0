import { expect, test } from "vitest";
import { changedInputs } from "./host-kinds.ts";
import { stagedHost, unknownText } from "./staged-host.ts";

test.concurrent("another tag replaces a build, and the new one is created first", async () => {
  await using staged = await stagedHost({ member: "build" });
  const { host } = staged;
  const inputs = { integrationId: 101, tag: "v1.1.0", adopt: true };
  const { id, properties } = await host.create(inputs);
  const difference = await host.diff(id, properties, { ...inputs, tag: "v1.0.0" });
  expect(difference).toEqual({ changes: changedInputs, replaces: ["tag"], isDeletedFirst: false });
  const unknown = await host.diff(id, properties, { ...inputs, tag: unknownText });
  expect(unknown).toMatchObject({ changes: changedInputs, replaces: [] });
});
