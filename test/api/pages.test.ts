import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/api/index.ts";
import { answerJson, failureOf, startServer } from "./scripted-server.ts";

interface Listing {
  total: number;
  /** The server's own cap of a page. */
  cap?: number;
  /** Ids that come once more on the page after. */
  overlap?: number;
}

/** A server with so many tenants, which pages as it is told. */
function startListing({ total, cap = 500, overlap = 0 }: Listing) {
  return startServer((request, response) => {
    const query = new URL(request.url, "http://localhost").searchParams;
    const limit = Math.min(Number(query.get("limit") ?? 100), cap);
    const skip = Number(query.get("skip") ?? 0);
    const start = Math.max(0, skip - overlap);
    const size = Math.max(0, Math.min(limit, total - start));
    answerJson(
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
  it.each<[string, Listing, number]>([
    ["nothing", { total: 0 }, 1],
    ["less than a page", { total: 37 }, 1],
    ["a page and a bit", { total: 501 }, 2],
    ["two whole pages", { total: 1000 }, 3],
    ["a page that might be capped", { total: 100 }, 2],
    ["pages of a server with a lower cap", { total: 730, cap: 100 }, 8],
    ["pages of a server with an odd cap", { total: 150, cap: 64 }, 3],
    ["pages that overlap", { total: 1203, overlap: 7 }, 3],
  ])("has each id once: %s", async (_what, listing, requests) => {
    await using server = await startListing(listing);

    expect(await idsOf(server.client.tenants.list())).toEqual(upTo(listing.total));
    expect(server.requests.length).toBe(requests);
  });

  it("takes the size of a page, the start and the filters from the query", async () => {
    await using server = await startListing({ total: 12 });

    expect(await idsOf(server.client.tenants.list({ integrationId: 3, limit: 5, skip: 2 }))).toEqual(upTo(12, 2));
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/v2/tenants?integration_id=3&limit=5&skip=2",
      "/v2/tenants?integration_id=3&limit=5&skip=7",
      "/v2/tenants?integration_id=3&limit=5&skip=12",
    ]);
  });

  it("copes with a server that clamps a limit that is too high", async () => {
    await using server = await startListing({ total: 1200, cap: 500 });

    expect(await idsOf(server.client.tenants.list({ limit: 2000 }))).toEqual(upTo(1200));
  });

  it("ends at a server that gives the same page for ever", async () => {
    await using server = await startServer((_request, response) =>
      answerJson(response, 200, [
        { id: 1, name: "a" },
        { id: 2, name: "b" },
      ]),
    );

    expect(await idsOf(server.client.tenants.list({ limit: 2 }))).toEqual([1, 2]);
    expect(server.requests.length).toBe(2);
  });

  it("asks for no page that nobody reads", async () => {
    await using server = await startListing({ total: 2000 });

    for await (const { id } of server.client.tenants.list()) {
      if (id === 500) {
        break;
      }
    }

    expect(server.requests.length).toBe(2);
  });

  it("fails where a page fails, instead of ending", async () => {
    await using server = await startServer((_request, response, number) =>
      number === 1
        ? answerJson(response, 200, [{ id: 1, name: "a", long_name: "A", type: "Internal" }])
        : answerJson(response, 404, { message: "no" }),
    );

    expect(await failureOf(idsOf(server.client.integrations.list({ limit: 1 })))).toMatchObject({
      name: "NotFoundError",
    });
  });

  it.each([0, -1, 1.5])("refuses a page size of %d", async (limit) => {
    await using server = await startListing({ total: 1 });

    await expect(idsOf(server.client.tenants.list({ limit }))).rejects.toBeInstanceOf(ConfigurationError);
    expect(server.requests).toEqual([]);
  });
});
