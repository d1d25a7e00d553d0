import { describe, expect, test } from "vitest";
import { holdsOnlyOn } from "../engine/harness/provider-under-test.ts";
import { failureOf } from "../failure-of.ts";
import { complete, stage } from "../resources/stage.ts";
import { startHost } from "./provider-host.ts";

const state = { ...complete, tenantId: 1, integrationId: 101 };

describe.concurrent("the address and the key come from", () => {
  test("the stack's config", async () => {
    await using on = await stage();
    await using host = await startHost();
    await host.configure({
      "integration-platform:baseUrl": on.emulator.url,
      "integration-platform:apiKey": on.emulator.apiKey,
    });
    expect((await host.check(complete)).failures).toEqual([]);
  });

  test("the environment first, so that a rotated key takes precedence over the one in the state", async () => {
    await using on = await stage();
    const environment = {
      INTEGRATION_PLATFORM_BASE_URL: on.emulator.url,
      INTEGRATION_PLATFORM_API_KEY: on.emulator.apiKey,
    };
    await using host = await startHost({ environment });
    await host.configure({
      "integration-platform:baseUrl": "http://127.0.0.1:9",
      "integration-platform:apiKey": "rotated-away",
    });
    expect((await host.check(complete)).failures).toEqual([]);
  });
});

describe.concurrent("the first calls, which arrive before the host is configured", () => {
  test.for([1, 2])("all find the settings (process %d)", async (_, context) => {
    holdsOnlyOn("dynamic", context, "the engine calls a plugin only once it is configured");
    await using on = await stage();
    await using host = await startHost();
    const configuring = host.configure({
      "integration-platform:baseUrl": on.emulator.url,
      "integration-platform:apiKey": on.emulator.apiKey,
    });
    const names = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const checks = names.map((name) => host.check({ ...complete, name }));
    const creates = names.map((name) => host.create({ ...complete, name }));
    await configuring;
    expect((await Promise.all(checks)).flatMap(({ failures }) => failures)).toEqual([]);
    expect((await Promise.all(creates)).map(({ properties }) => properties.name)).toEqual(names);
    expect(await on.live()).toHaveLength(30);
  });
});

describe.concurrent("a missing setting is a clear error of each call", () => {
  const calls = ["check", "diff", "create", "read", "update", "delete"] as const;

  test.each([
    [
      "key",
      { INTEGRATION_PLATFORM_BASE_URL: "http://127.0.0.1:9" },
      /no API key.*INTEGRATION_PLATFORM_API_KEY.*config set --secret/,
    ],
    ["address", { INTEGRATION_PLATFORM_API_KEY: "k" }, /no base URL.*INTEGRATION_PLATFORM_BASE_URL.*config set/],
  ])("no %s", async (_, environment, message) => {
    await using host = await startHost({ environment });
    await host.configure();
    for (const call of calls) expect((await failureOf(invoke(host, call))).message).toMatch(message);
    expect((await failureOf(host.check(complete))).message).toMatch(message);
  });

  test("all at once", async () => {
    await using host = await startHost();
    await host.configure();
    const failures = await Promise.all(calls.map((call) => failureOf(invoke(host, call))));
    for (const { message } of failures) expect(message).toMatch(/no base URL/);
  });
});

describe.concurrent("an invalid address is a clear error", () => {
  test.each([
    ["no URL", "platform", /not a URL/],
    ["plain http beyond loopback", "http://platform.example.com", /plain http to platform\.example\.com/],
    ["nobody there", "http://127.0.0.1:9", /no connection.*ECONNREFUSED|Nothing listens/],
  ])("%s", async (_, baseUrl, message) => {
    const environment = { INTEGRATION_PLATFORM_BASE_URL: baseUrl, INTEGRATION_PLATFORM_API_KEY: "k3y-s3cret" };
    await using host = await startHost({ environment });
    await host.configure();
    const failure = await failureOf(host.check(complete));
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain("k3y-s3cret");
  });

  test("plain http to a host that the config names is allowed", async () => {
    await using host = await startHost({ environment: { INTEGRATION_PLATFORM_API_KEY: "k" } });
    await host.configure({
      "integration-platform:baseUrl": "http://platform.invalid",
      "integration-platform:allowInsecureHttp": '["platform.invalid"]',
    });
    expect((await failureOf(host.check(complete))).message).toMatch(/GET \/v2\/integrations/);
  });
});

describe.concurrent("the status words of connectors", () => {
  test("come from the stack's config, in any spelling", async () => {
    await using on = await stage();
    const { id, state: made } = await on.operation().tenant.create(complete);
    const stored = JSON.parse(JSON.stringify(made));
    const auth = { connected: false, connectors: [{ name: "crm", status: "un_linked", last_change: "2026-01-01" }] };
    await on.changeByHand(id, { status: { auth } });
    const config = {
      "integration-platform:baseUrl": on.emulator.url,
      "integration-platform:apiKey": on.emulator.apiKey,
    };

    await using first = await startHost();
    await first.configure(config);
    expect((await failureOf(first.delete(id, stored))).message).toMatch(/the status "un_linked".*notConnectedStatuses/);
    await using second = await startHost();
    await second.configure({ ...config, "integration-platform:notConnectedStatuses": '["Unlinked"]' });
    await second.delete(id, stored);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });

  test("of the wrong type are an error", async () => {
    await using host = await startHost({ environment: { INTEGRATION_PLATFORM_API_KEY: "k" } });
    await host.configure({
      "integration-platform:baseUrl": "http://127.0.0.1:9",
      "integration-platform:connectedStatuses": "[1]",
    });
    expect((await failureOf(host.check(complete))).message).toMatch(/connectedStatuses must be a list of status words/);
  });
});

describe.concurrent("the status words of runs", () => {
  test("come from the stack's config", async () => {
    await using on = await stage({ variants: { statusWords: "processed" } });
    const tenantId = await on.add({
      integration: "crm-to-billing",
      name: "acme",
      user_name: "user-1",
      runs: { takes_seconds: 0 },
    });
    const config = {
      "integration-platform:baseUrl": on.emulator.url,
      "integration-platform:apiKey": on.emulator.apiKey,
    };

    await using first = await startHost({ member: "syncTrigger" });
    await first.configure(config);
    const inputs = { tenantId, mode: "normal", timeoutSeconds: 4 };
    expect((await failureOf(first.create(inputs))).message).toMatch(/has the status "Processed".*succeededStatuses/);
    await using second = await startHost({ member: "syncTrigger" });
    await second.configure({ ...config, "integration-platform:succeededStatuses": '["processed"]' });
    expect((await second.create(inputs)).properties).toMatchObject({ status: "Processed", outcome: "succeeded" });
  });

  test("of the wrong type are an error", async () => {
    await using host = await startHost({ environment: { INTEGRATION_PLATFORM_API_KEY: "k" } });
    await host.configure({
      "integration-platform:baseUrl": "http://127.0.0.1:9",
      "integration-platform:failedStatuses": "[1]",
    });
    expect((await failureOf(host.check(complete))).message).toMatch(/failedStatuses must be a list of status words/);
  });
});

function invoke(
  host: Awaited<ReturnType<typeof startHost>>,
  call: "check" | "diff" | "create" | "read" | "update" | "delete",
) {
  switch (call) {
    case "check":
      return host.check(complete, complete);
    case "diff":
      return host.diff("1", state, { ...complete, integration: 102 });
    case "create":
      return host.create(complete);
    case "read":
      return host.read("1", state);
    case "update":
      return host.update("1", state, complete);
    case "delete":
      return host.delete("1", state);
  }
}
