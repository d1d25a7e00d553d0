import { expect, test } from "vitest";
import { coalesced } from "../../src/snapshot/coalesced.ts";

/** A read that ends when the test says so. */
function controlled() {
  const reads: { keys: number[]; end: (result: string) => void; fail: (error: Error) => void }[] = [];
  const ask = coalesced((keys: ReadonlySet<number>) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    reads.push({ keys: [...keys], end: resolve, fail: reject });
    return promise;
  });
  return { ask, reads };
}

test("callers at the same time share a read", async () => {
  const { ask, reads } = controlled();
  const answers = [ask(1), ask(2), ask(1)];
  await expect.poll(() => reads.map(({ keys }) => keys)).toEqual([[1, 2]]);
  reads[0]?.end("a");
  expect(await Promise.all(answers)).toEqual(["a", "a", "a"]);
});

test("callers during a read share the next one", async () => {
  const { ask, reads } = controlled();
  const first = ask(1);
  await expect.poll(() => reads).toHaveLength(1);
  const later = [ask(1), ask(2), ask(3)];
  reads[0]?.end("old");
  expect(await first).toBe("old");
  await expect.poll(() => reads.map(({ keys }) => keys)).toEqual([[1], [1, 2, 3]]);
  reads[1]?.end("new");
  expect(await Promise.all(later)).toEqual(["new", "new", "new"]);
});

test("a failed read rejects only its own callers and does not delay the next", async () => {
  const { ask, reads } = controlled();
  const first = ask(1);
  await expect.poll(() => reads).toHaveLength(1);
  const second = ask(2);
  reads[0]?.fail(new Error("down"));
  await expect(first).rejects.toThrow("down");
  await expect.poll(() => reads).toHaveLength(2);
  reads[1]?.end("up");
  expect(await second).toBe("up");
});
