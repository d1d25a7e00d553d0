import { expect, test } from "vitest";
import { stage } from "../stage.ts";

// The form of an integration shows configs to the customer, who may change them.

const configs = { region: "eu", batch_size: 200 };
const acme = { integration: "crm-to-billing", name: "acme", configs };

test("a refresh tells of a config that may have been changed in the customer's form, and of none that only the platform's users see", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create(acme);
  await on.operation().tenant.read(id, state);
  expect(on.notes).toEqual([]);
  await on.changeByHand(id, { configs: { region: "us", batch_size: 100 } });
  await on.operation().tenant.read(id, state);
  expect(on.notes).toEqual([
    expect.stringMatching(/^configs\.region of a tenant has changed .* customer's form or the console.*ignoreChanges$/),
  ]);
});
