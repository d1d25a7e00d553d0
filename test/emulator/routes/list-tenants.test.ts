import { describe, expect, test } from "vitest";
import type { Seed } from "../../../src/emulator/index.ts";
import { call, ids, startEmulator } from "../running-emulator.ts";

const seed: Seed = {
  integrations: [
    { id: 1, name: "one" },
    { id: 2, name: "two" },
  ],
  tenants: [
    {
      id: 11,
      integration: "one",
      name: "delta",
      created_date: "2026-01-04T00:00:00Z",
      modified_date: "2026-01-05T00:00:00Z",
    },
    {
      id: 12,
      integration: 1,
      name: "alpha",
      created_date: "2026-01-03T00:00:00Z",
      modified_date: "2026-01-08T00:00:00Z",
    },
    {
      id: 13,
      integration: "two",
      name: "charlie",
      created_date: "2026-01-02T00:00:00Z",
      modified_date: "2026-01-07T00:00:00Z",
      user_name: "u-1",
    },
    {
      id: 14,
      integration: "one",
      name: "bravo",
      created_date: "2026-01-01T00:00:00Z",
      modified_date: "2026-01-06T00:00:00Z",
      user_name: "u-1",
    },
    { id: 15, integration: "one", name: "echo", archived: true },
  ],
};

describe("GET /v2/tenants", () => {
  test.each([
    ["", [11, 12, 13, 14]],
    ["?integration_id=1", [11, 12, 14]],
    ["?integration_id=0", [11, 12, 13, 14]],
    ["?integration_id=99", []],
    ["?user_name=u-1", [13, 14]],
    ["?user_name=u-1&integration_id=2", [13]],
    ["?user_name=", [11, 12, 13, 14]],
    ["?archived=true", [15]],
    ["?archived=false", [11, 12, 13, 14]],
    ["?archived=true&integration_id=2", []],
    ["?limit=2", [11, 12]],
    ["?limit=2&skip=2", [13, 14]],
    ["?limit=2&skip=4", []],
    ["?sort_by=id__DESC", [14, 13, 12, 11]],
    ["?sort_by=name__ASC", [12, 14, 13, 11]],
    ["?sort_by=created_date__ASC", [14, 13, 12, 11]],
    ["?sort_by=modified_date__DESC&limit=3", [12, 13, 14]],
    ["?sort_by=name__DESC&integration_id=1&skip=1", [14, 12]],
    ["?unknown=1", [11, 12, 13, 14]],
  ])("answers %s", async (query, expected) => {
    const emulator = await startEmulator({ seed });
    expect(ids((await call(emulator, "GET", `/v2/tenants${query}`)).body)).toEqual(expected);
  });

  test.each([
    "?limit=501",
    "?limit=0",
    "?limit=1.5",
    "?skip=-1",
    "?integration_id=one",
    "?integration_id=-1",
    "?sort_by=paused__ASC",
    "?archived=2",
  ])("refuses %s", async (query) => {
    const emulator = await startEmulator({ seed });
    const loc = ["query", query.slice(1).split("=")[0]];
    expect(await call(emulator, "GET", `/v2/tenants${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc }] },
    });
  });

  test("gives 100 records by default, and 500 at most", async () => {
    const tenants = Array.from({ length: 600 }, (_, index) => ({ integration: 1, name: `t-${index}` }));
    const emulator = await startEmulator({ seed: { ...seed, tenants } });
    expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toHaveLength(100);
    expect(ids((await call(emulator, "GET", "/v2/tenants?limit=500")).body)).toHaveLength(500);
  });
});
