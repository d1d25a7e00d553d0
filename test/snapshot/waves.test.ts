import { expect, test } from "vitest";
import { waves } from "../../src/snapshot/waves.ts";

/** A read that ends when the test says so. */
function controlled() {
  const reads: { keys: number[]; end: (result: string) => void; fail: (error: Error) => void }[] = [];
  const ask = waves((keys: ReadonlySet<number>) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    reads.push({ keys: [...keys], end: resolve, fail: reject });
    return promise;
  });
  return { ask, reads };
}

test("those who ask at the same moment go along", async () => {
  const { ask, reads } = controlled();
  const answers = [ask(1), ask(2), ask(1)];
  await expect.poll(() => reads.map(({ keys }) => keys)).toEqual([[1, 2]]);
  reads[0]?.end("a");
  expect(await Promise.all(answers)).toEqual(["a", "a", "a"]);
});

test("those who ask while a read is running wait for the next, together", async () => {
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

test("a read that fails is told to its own callers and does not hold up the next", async () => {
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
