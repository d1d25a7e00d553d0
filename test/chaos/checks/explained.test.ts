import { expect, test } from "vitest";
import { unexplainedBy } from "./explained.ts";

const list = { integration_id: "101", limit: "500" };

/**
 * Whether what somebody wrote to tenant 7 explains a difference after a run that listed the tenants in second 1 and wrote one
 * in second 9.
 */
async function isExplained(name: string, wrote: { id: number; status?: number }, second = 5): Promise<boolean> {
  const seen = (at: number, method: string, path: string, status = 200) => ({
    at: new Date(at * 1000).toISOString(),
    ...{ method, path, status, query: method === "GET" ? list : {} },
  });
  const requests = [seen(1, "GET", "/v2/tenants"), seen(9, "PATCH", `/v2/tenants/${wrote.id}`, wrote.status)];
  const found = [{ tenant: name, what: "paused", declared: false, live: true }];
  const left = await unexplainedBy({ requests: async () => requests }, [{ id: 7, name, at: second * 1000 }], found);
  return left.length === 0;
}

test("somebody's write explains a difference if the run did not look at the tenant afterwards", async () => {
  expect(await isExplained("own-s1", { id: 8 })).toBe(true);
  expect(await isExplained("own-s1", { id: 7, status: 502 })).toBe(true);
  expect(await isExplained("own-s1", { id: 7 })).toBe(false);
});

test("a rollout's write of a tenant's release does not show that the run has read its settings", async () => {
  expect(await isExplained("own-r12", { id: 7 })).toBe(true);
  expect(await isExplained("own-r12", { id: 7 }, 0)).toBe(false);
});
