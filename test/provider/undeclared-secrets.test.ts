import { expect, test } from "vitest";
import { failureOf } from "../failure-of.ts";
import { stage } from "../resources/stage.ts";
import { startHost } from "./provider-host.ts";

test("INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED=1 lets a change through that an omitted secret would stop", async () => {
  const secret = { type: "string", format: "password" };
  const config_schema = { type: "object", properties: { region: { type: "string" }, token: secret, other: secret } };
  const integrations = [
    { id: 1, name: "vault", default_release_id: 2, releases: [{ id: 2, name: "v1", config_schema }] },
  ];
  await using on = await stage({ seed: { integrations }, variants: { maskedConfigs: "left-out" } });
  const connection = {
    INTEGRATION_PLATFORM_BASE_URL: on.emulator.url,
    INTEGRATION_PLATFORM_API_KEY: on.emulator.apiKey,
  };
  const inputs = { integration: "vault", name: "acme", configs: { region: "eu", token: "t0ken-one" } };
  const changed = { ...inputs, configs: { region: "us", token: "t0ken-one" } };

  await using host = await startHost({ environment: connection });
  await host.configure();
  const { id, properties } = await host.create(inputs);
  const { message } = await failureOf(host.update(id, properties, changed));
  expect(message).toContain("run up once with INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED=1");

  await using knowing = await startHost({
    environment: { ...connection, INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED: "1" },
  });
  await knowing.configure();
  await knowing.update(id, properties, changed);
  expect((await on.tenant(id)).configs).toEqual(changed.configs);
});
