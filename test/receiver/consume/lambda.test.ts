import { beforeEach, describe, expect, test, vi } from "vitest";

const platform = {
  PLATFORM_BASE_URL: "https://platform.example.com",
  API_KEY_SECRET_ARN: "arn:aws:secretsmanager:eu-central-1:123456789012:secret:key",
};
const environment = { LEDGER_TABLE: "ledger", BUS_NAME: "events", AWS_REGION: "eu-central-1" };

/** Loads the entry point as AWS Lambda does at a cold start. */
async function coldStart(changes: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries({ ...environment, ...changes })) vi.stubEnv(name, value);
  return import("../../../src/receiver/consume/lambda.ts");
}

describe("the environment of the consuming function", () => {
  beforeEach(() => vi.unstubAllEnvs());

  test.each([{}, platform, { LEDGER_RETENTION_DAYS: "30" }])("may have %j", async (changes) => {
    await expect(coldStart(changes)).resolves.toHaveProperty("handler");
  });

  test.each([
    { LEDGER_TABLE: "" },
    { BUS_NAME: "" },
    { LEDGER_RETENTION_DAYS: "0" },
    { ...platform, PLATFORM_BASE_URL: "platform" },
    { PLATFORM_BASE_URL: platform.PLATFORM_BASE_URL },
    { API_KEY_SECRET_ARN: platform.API_KEY_SECRET_ARN },
  ])("fails the cold start with %j", async (changes) => {
    await expect(coldStart(changes)).rejects.toThrow(Object.keys(changes)[0]);
  });
});
