import { expect, test } from "vitest";
import { call, createTenant, ids, startEmulator, startManual } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

const manyTenants = (count: number) => ({
  integrations: [{ id: 1, name: "one" }],
  tenants: Array.from({ length: count }, (_, index) => ({ integration: 1, name: `t-${index}` })),
});

forEachValue("limitOver500", { refuse: 422, clamp: 200 }, async (variants, status) => {
  const emulator = await startEmulator({ seed: manyTenants(502), variants });
  const answer = await call(emulator, "GET", "/v2/tenants?limit=501");
  expect(answer.status).toBe(status);
  if (status === 200) expect(ids(answer.body)).toHaveLength(500);
  else expect(answer.body).toMatchObject({ detail: [{ loc: ["query", "limit"], type: "less_than_equal" }] });
});

forEachValue("archivedList", { alone: [2], along: [1, 2] }, async (variants, expected) => {
  const seed = {
    integrations: [
      { id: 1, name: "live" },
      { id: 2, name: "old", archived: true },
    ],
    tenants: [
      { id: 1, integration: 1, name: "live" },
      { id: 2, integration: 1, name: "old", archived: true },
    ],
  };
  const emulator = await startEmulator({ seed, variants });
  for (const list of ["integrations", "tenants"]) {
    expect(ids((await call(emulator, "GET", `/v2/${list}?archived=true`)).body)).toEqual(expected);
    expect(ids((await call(emulator, "GET", `/v2/${list}`)).body)).toEqual([1]);
  }
});

forEachValue("sorting", { accept: 200, refuse: 422, ignore: 200 }, async (variants, status) => {
  const emulator = await startEmulator({ variants });
  expect((await call(emulator, "GET", "/v2/tenants?sort_by=id__ASC")).status).toBe(status);
  expect((await call(emulator, "GET", "/v2/integrations?sort_by=id__ASC")).status).toBe(status);
  expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
});

test("sorting=ignore: the last modified record comes first, whatever sort_by is", async () => {
  const emulator = await startManual({ variants: { sorting: "ignore" } });
  const made: number[] = [];
  for (const name of ["a", "b", "c"]) {
    made.push(await createTenant(emulator, { name }));
    await emulator.advance({ seconds: 1 });
  }
  await call(emulator, "PATCH", `/v2/tenants/${made[0]}`, { user_schedule: "0 1 * * *" });
  for (const query of ["", "?sort_by=id__ASC", "?sort_by=name__DESC"]) {
    expect(ids((await call(emulator, "GET", `/v2/tenants${query}`)).body)).toEqual([made[0], made[2], made[1]]);
  }
});

forEachValue("pageSize", { asked: [50, 50, 20], capped: [37, 37, 20] }, async (variants, sizes) => {
  const emulator = await startEmulator({ seed: manyTenants(100), variants });
  for (const [index, query] of ["limit=50", "limit=50&skip=50", "limit=20&skip=0"].entries()) {
    expect(ids((await call(emulator, "GET", `/v2/tenants?${query}`)).body)).toHaveLength(sizes[index] ?? 0);
  }
});
