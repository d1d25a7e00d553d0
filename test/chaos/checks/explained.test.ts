import { expect, test } from "vitest";
import { unexplainedBy } from "./explained.ts";

const list = { integration_id: "101", limit: "500" };

interface Sent {
  id: number;
  status?: number;
  method?: string;
  below?: string;
}

/**
 * Whether what somebody wrote to tenant 7 explains a difference after a run that listed the tenants in second 1 and sent a
 * request, by default a PATCH, in second 9.
 */
async function isExplained(name: string, sent: Sent, second = 5): Promise<boolean> {
  const { id, status = 200, method = "PATCH", below = "" } = sent;
  const at = (time: number) => new Date(time * 1000).toISOString();
  const requests = [
    { at: at(1), method: "GET", path: "/v2/tenants", status: 200, query: list },
    { at: at(9), method, path: `/v2/tenants/${id}${below}`, status, query: {} },
  ];
  const found = [{ tenant: name, what: "paused", declared: false, live: true }];
  const left = await unexplainedBy({ requests: async () => requests }, [{ id: 7, name, at: second * 1000 }], found);
  return left.length === 0;
}

test("somebody's write explains a difference if the run did not look at the tenant afterwards", async () => {
  expect(await isExplained("own-s1", { id: 8 })).toBe(true);
  expect(await isExplained("own-s1", { id: 7, status: 502 })).toBe(true);
  expect(await isExplained("own-s1", { id: 7 })).toBe(false);
  expect(await isExplained("own-s1", { id: 7, below: "/metadata" })).toBe(false);
});

test("a sync, or a read of the metadata, does not show that the run has read the settings again", async () => {
  expect(await isExplained("own-f42", { id: 7, method: "POST", below: "/sync" })).toBe(true);
  expect(await isExplained("own-f42", { id: 7, method: "GET", below: "/metadata" })).toBe(true);
});

test("a rollout's write of a tenant's release does not show that the run has read its settings", async () => {
  expect(await isExplained("own-r12", { id: 7 })).toBe(true);
  expect(await isExplained("own-r12", { id: 7 }, 0)).toBe(false);
});
