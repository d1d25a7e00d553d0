import { afterEach, describe, expect, test, vi } from "vitest";

const environment = { LEDGER_TABLE: "ledger", BUS_NAME: "events", AWS_REGION: "eu-central-1" };

afterEach(() => void vi.unstubAllEnvs());

/** Loads the entry point as AWS Lambda does at a cold start. */
async function coldStart(changes: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries({ ...environment, ...changes })) vi.stubEnv(name, value);
  return import("../../../src/receiver/consume/lambda.ts");
}

describe("the environment of the consuming function", () => {
  test.each([{}, { LEDGER_RETENTION_DAYS: "30" }])("may have %j", async (changes) => {
    await expect(coldStart(changes)).resolves.toHaveProperty("handler");
  });

  test.each([{ LEDGER_TABLE: "" }, { BUS_NAME: "" }, { LEDGER_RETENTION_DAYS: "0" }])(
    "fails the cold start with %j",
    async (changes) => {
      await expect(coldStart(changes)).rejects.toThrow(Object.keys(changes)[0]);
    },
  );
});
