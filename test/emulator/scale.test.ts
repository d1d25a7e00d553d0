import { expect, test } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import { call, ids, startEmulator } from "./running-emulator.ts";

function seedOf(tenantCount: number): Seed {
  return {
    integrations: [
      { id: 1, name: "one" },
      { id: 2, name: "two" },
    ],
    tenants: Array.from({ length: tenantCount }, (_, index) => ({
      integration: 1 + (index % 2),
      name: `tenant-${index}`,
      configs: { region: "eu", mapping: { a: "1", b: "2" }, text: "x".repeat(200) },
    })),
  };
}

test("10,000 tenants: the pages of every order have each tenant exactly once", async () => {
  const emulator = await startEmulator({ seed: seedOf(10_000) });
  const page = async (query: string) => ids((await call(emulator, "GET", `/v2/tenants?limit=500&${query}`)).body);
  for (const query of ["", "integration_id=1&", "sort_by=name__ASC&", "sort_by=modified_date__DESC&"]) {
    const count = query.startsWith("integration_id") ? 5_000 : 10_000;
    const found: number[] = [];
    for (let skip = 0; skip < count; skip += 500) found.push(...(await page(`${query}skip=${skip}`)));
    expect([found.length, new Set(found).size], query).toEqual([count, count]);
    expect(await page(`${query}skip=${count}`), query).toEqual([]);
  }
}, 60_000);
