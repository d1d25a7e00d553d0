import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { respondJson, startServer } from "./scripted-server.ts";

interface Listing {
  total: number;
  /** The server's own limit of a page. */
  cap?: number;
  /** Records that each page repeats from the page before. */
  overlap?: number;
  /** Whether a `skip` behind the end means the last record. */
  isSkipClamped?: boolean;
}

/** A server with `total` tenants that pages in a certain way. */
function startListing({ total, cap = 500, overlap = 0, isSkipClamped = false }: Listing) {
  return startServer((request, response) => {
    const query = new URL(request.url, "http://localhost").searchParams;
    const limit = Math.min(Number(query.get("limit") ?? 100), cap);
    const asked = Number(query.get("skip") ?? 0);
    const skip = isSkipClamped ? Math.min(asked, total - 1) : asked;
    const start = Math.max(0, skip - overlap);
    const size = Math.max(0, Math.min(limit, total - start));
    respondJson(
      response,
      200,
      Array.from({ length: size }, (_, index) => ({ id: start + index, name: `t-${start + index}` })),
    );
  });
}

async function idsOf(items: AsyncIterable<{ id: number }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of items) {
    ids.push(id);
  }
  return ids;
}

function upTo(total: number, first = 0) {
  return Array.from({ length: total - first }, (_, index) => first + index);
}

describe("a list over all pages", () => {
  test.each<[string, Listing, number]>([
    ["nothing", { total: 0 }, 1],
    ["less than a page, which might be the server's cap", { total: 37 }, 2],
    ["one record", { total: 1 }, 2],
    ["one record more than a page", { total: 501 }, 2],
    ["two whole pages", { total: 1000 }, 3],
    ["a page that might be capped", { total: 100 }, 2],
    ["pages of a server with a lower cap", { total: 730, cap: 100 }, 8],
    ["pages of a server with a cap of 64", { total: 150, cap: 64 }, 3],
    ["pages of a server with an unusual cap", { total: 250, cap: 37 }, 7],
    ["as many as the cap", { total: 37, cap: 37 }, 2],
    ["one more than the cap", { total: 38, cap: 37 }, 2],
    ["pages of one record", { total: 3, cap: 1 }, 4],
    ["pages of two", { total: 4, cap: 2 }, 4],
    ["pages of a server without an empty page behind the end", { total: 74, cap: 37, isSkipClamped: true }, 3],
    ["a short page of such a server", { total: 37, isSkipClamped: true }, 2],
    ["pages that overlap", { total: 1203, overlap: 7 }, 3],
  ])("has each id once: %s", async (_what, listing, requests) => {
    await using server = await startListing(listing);

    expect(await idsOf(server.client.tenants.list())).toEqual(upTo(listing.total));
    expect(server.requests.length).toBe(requests);
  });

  test("uses limit, skip and the filters of the query", async () => {
    await using server = await startListing({ total: 12 });

    expect(await idsOf(server.client.tenants.list({ integrationId: 3, limit: 5, skip: 2 }))).toEqual(upTo(12, 2));
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/v2/tenants?integration_id=3&limit=5&skip=2",
      "/v2/tenants?integration_id=3&limit=5&skip=6",
      "/v2/tenants?integration_id=3&limit=5&skip=10",
    ]);
  });

  test("ends at a short page once the server has sent a longer one, even for another list", async () => {
    await using server = await startServer((request, response) => {
      const isOfOne = new URL(request.url, "http://localhost").searchParams.has("integration_id");
      const size = isOfOne ? 20 : 30;
      const skip = Number(new URL(request.url, "http://localhost").searchParams.get("skip"));
      respondJson(
        response,
        200,
        upTo(size, Math.min(skip, size)).map((id) => ({ id, name: `t-${id}` })),
      );
    });

    expect(await idsOf(server.client.tenants.list())).toEqual(upTo(30));
    expect(server.requests.length).toBe(2);
    expect(await idsOf(server.client.tenants.list({ integrationId: 3 }))).toEqual(upTo(20));
    expect(server.requests.length).toBe(3);
  });

  test("does not end at a whole page, also if the server has sent a longer one before", async () => {
    await using server = await startListing({ total: 30 });

    await idsOf(server.client.tenants.list());
    expect(await idsOf(server.client.tenants.list({ limit: 5 }))).toEqual(upTo(30));
  });

  test("ends where the server repeats the same records in another order", async () => {
    await using server = await startServer((_request, response, number) => {
      const ids = [0, 1, 2, 3].map((id) => (id + number) % 4);
      respondJson(
        response,
        200,
        ids.map((id) => ({ id, name: `t-${id}` })),
      );
    });

    expect((await idsOf(server.client.tenants.list())).sort()).toEqual([0, 1, 2, 3]);
    expect(server.requests.length).toBeLessThan(5);
  });

  test("reads all records where the server caps the limit", async () => {
    await using server = await startListing({ total: 1200, cap: 500 });

    expect(await idsOf(server.client.tenants.list({ limit: 2000 }))).toEqual(upTo(1200));
  });

  test("ends where the server repeats the same page", async () => {
    await using server = await startServer((_request, response) =>
      respondJson(response, 200, [
        { id: 1, name: "a" },
        { id: 2, name: "b" },
      ]),
    );

    expect(await idsOf(server.client.tenants.list({ limit: 2 }))).toEqual([1, 2]);
    expect(server.requests.length).toBe(2);
  });

  test("ends where a server that ignores skip takes turns with another that has a newer list", async () => {
    await using server = await startServer((_request, response, number) =>
      respondJson(
        response,
        200,
        upTo(4 + (number % 2), number % 2).map((id) => ({ id, name: `t-${id}` })),
      ),
    );

    expect((await idsOf(server.client.tenants.list({ limit: 4 }))).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(server.requests.length).toBe(2 + 21); // 20 pages without a new record are not yet the end
  });

  test("requests a page only when it is read", async () => {
    await using server = await startListing({ total: 2000 });

    for await (const { id } of server.client.tenants.list()) {
      if (id === 500) {
        break;
      }
    }

    expect(server.requests.length).toBe(2);
  });

  test("rejects where a page fails", async () => {
    await using server = await startServer((_request, response, number) =>
      number === 1
        ? respondJson(response, 200, [{ id: 1, name: "a", long_name: "A", type: "Internal" }])
        : respondJson(response, 404, { message: "no" }),
    );

    expect(await failureOf(idsOf(server.client.integrations.list({ limit: 1 })))).toMatchObject({
      name: "NotFoundError",
    });
  });

  test("has only those of a name, all of them", async () => {
    await using server = await startServer((request, response) => {
      const skip = Number(new URL(request.url, "http://localhost").searchParams.get("skip"));
      const names = ["acme", "globex", "acme"].slice(skip);
      const records = names.map((name, index) => ({ id: skip + index, name, long_name: name, type: "Internal" }));
      respondJson(response, 200, records);
    });

    expect((await server.client.integrations.named("acme")).map(({ id }) => id)).toEqual([0, 2]);
    expect(await server.client.integrations.named("initech")).toEqual([]);
  });

  test.each([0, -1, 1.5])("refuses a limit of %d", async (limit) => {
    await using server = await startListing({ total: 1 });

    await expect(idsOf(server.client.tenants.list({ limit }))).rejects.toBeInstanceOf(ConfigurationError);
    expect(server.requests).toEqual([]);
  });
});

test("each loop over a list reads it", async () => {
  await using server = await startListing({ total: 3 });
  const list = server.client.tenants.list();
  expect([await idsOf(list), await idsOf(list)]).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
});
