import { describe, expect, test } from "vitest";
import { ValidationError } from "../../src/api/index.ts";
import { createPages, type ListQuery } from "../../src/api/pages.ts";

interface Behaviour {
  /** What changes after a page, by the number of the page from 1. */
  after?: (page: number, ids: number[]) => void;
  doesSort?: boolean;
}

/** Reads a list in pages of three. The list has these ids, in this order, and changes between pages. */
async function read(ids: number[], { after, doesSort = true }: Behaviour = {}) {
  const skips: number[] = [];
  const pages = createPages(async ({ limit = 0, skip = 0, sortBy }: ListQuery) => {
    if (sortBy !== undefined && !doesSort) {
      const facts = { method: "GET", path: "/v2/tenants", status: 422, mayHaveBeenApplied: false };
      throw new ValidationError("no such field", facts, []);
    }
    const page = ids.slice(skip, skip + limit).map((id) => ({ id }));
    skips.push(skip);
    after?.(skips.length, ids);
    return page;
  });
  const found = await pages.read({ limit: 3 });
  return { ids: [...found.keys()], skips, isSorted: pages.isSorted() };
}

function remove(ids: number[], ...gone: number[]) {
  for (const id of gone) ids.splice(ids.indexOf(id), 1);
}

describe("an ordered list", () => {
  test("that does not change is read once", async () => {
    expect(await read([1, 2, 3, 4, 5, 6, 7])).toEqual({
      ids: [1, 2, 3, 4, 5, 6, 7],
      skips: [0, 2, 4, 6],
      isSorted: true,
    });
  });

  test("that moves to the front is read again from the page before", async () => {
    const after = (page: number, ids: number[]) => page === 2 && remove(ids, 3, 4, 5);
    const found = await read([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { after });
    expect(found.skips.slice(0, 4)).toEqual([0, 2, 4, 1]);
    expect(found.ids).toEqual(expect.arrayContaining([1, 2, 6, 7, 8, 9, 10]));
  });

  test("may have its last record of before anywhere in the next page", async () => {
    const after = (page: number, ids: number[]) => page === 1 && ids.unshift(0);
    expect((await read([1, 2, 3, 4, 5, 6], { after })).skips).toEqual([0, 2, 4, 6]);
  });

  test("that never stops moving is read again five times", async () => {
    const after = (page: number, ids: number[]) => ids.splice(0, page % 2 === 0 ? 0 : 4);
    const { skips } = await read(
      Array.from({ length: 90 }, (_, index) => index + 1),
      { after },
    );
    const stepsBack = skips.filter((skip, index) => skip < (skips[index - 1] ?? 0));
    expect(stepsBack).toHaveLength(5);
  });
});

describe("an unordered list", () => {
  test("that does not change is read once", async () => {
    const ids = [7, 6, 5, 4, 3, 2, 1];
    expect(await read([...ids])).toEqual({ ids, skips: [0, 2, 4, 6], isSorted: false });
  });

  test.each([true, false])(
    "is read again from its start if the last record of before has moved (sorts: %s)",
    async (doesSort) => {
      const ids = doesSort ? [9, 8, 7, 6, 5, 4, 3] : [1, 2, 3, 4, 5, 6, 7]; // an order that is no promise
      const after = (page: number, now: number[]) => page === 2 && now.unshift(20);
      const found = await read(ids, { after, doesSort });
      expect(found.skips.slice(0, 4)).toEqual([0, 2, 4, 0]);
      expect(found.ids).toContain(20);
      expect(found.isSorted).toBe(false);
    },
  );

  test("is read again if its end is gone", async () => {
    const after = (page: number, ids: number[]) => page === 1 && remove(ids, 5, 4);
    expect((await read([6, 5, 4], { after })).skips.slice(0, 3)).toEqual([0, 2, 0]);
  });

  test("is read to its end if more than a page of records comes to its front with each page", async () => {
    const ids = [9, 8, 7, 6, 5, 4, 3, 2, 1];
    let next = 10;
    const after = (page: number, now: number[]) => {
      for (let index = 0; page < 9 && index < 4; index += 1) now.unshift(next++);
    };
    expect((await read([...ids], { after })).ids).toEqual(expect.arrayContaining(ids));
  });

  test("that moved is read to its end, even if more than 20 pages in a row hold nothing new", async () => {
    const ids = Array.from({ length: 60 }, (_, index) => 60 - index);
    const after = (page: number, now: number[]) => page === 22 && now.unshift(100);
    expect((await read([...ids], { after })).ids).toEqual(expect.arrayContaining(ids));
  });

  test("is one with a record twice in a page", async () => {
    expect((await read([1, 1, 2])).isSorted).toBe(false);
  });
});
