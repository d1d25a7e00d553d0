import { expect, test } from "vitest";
import { restapiProviderVersion } from "../../bench/terraform/restapi-provider.ts";

test("the version of the restapi provider is the one that its go.mod requires", () => {
  expect(restapiProviderVersion()).toMatch(/^v\d+\.\d+\.\d+$/);
});
