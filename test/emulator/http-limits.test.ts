import { afterAll, beforeAll } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { httpLimitsContract } from "../http-limits-contract.ts";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await createEmulator();
});
afterAll(() => emulator.close());

const maxBodyBytes = 1024 * 1024;

httpLimitsContract("the emulator's API", async () => ({
  url: emulator.url,
  target: "/v2/tenants",
  headers: ["x-api-key: sandbox-key", "content-type: application/json"],
  maxBodyBytes,
}));

httpLimitsContract("the console", async () => ({
  url: emulator.url,
  target: "/console/settings/api-keys",
  headers: ["content-type: application/x-www-form-urlencoded"],
  maxBodyBytes,
}));
