import pLimit from "p-limit";
import type { Platform } from "../platform.ts";

const progressEverySeconds = 5;

interface Work<Item> {
  /** Of what, in the plural: `tenants of the fleet "billing"`. */
  what: string;
  items: readonly Item[];
  /** How many are worked on at once. Default 64: the client's own limit decides how many requests go out. */
  atOnce?: number | undefined;
  work: (item: Item) => Promise<void>;
}

/** Works on all items, as many at once as is useful. One failure stops no other; long work says how far it is. */
export async function allAtOnce<Item>(
  { warn }: Pick<Platform, "warn">,
  { what, items, atOnce = 64, work }: Work<Item>,
): Promise<{ failed: { item: Item; error: unknown }[] }> {
  let worked = 0;
  const failed: { item: Item; error: unknown }[] = [];
  const start = performance.now();
  const progress = setInterval(() => {
    if (worked === 0) return;
    const leftSeconds = (((performance.now() - start) / worked) * (items.length - worked)) / 1000;
    const failures = failed.length > 0 ? `, ${failed.length} of them failed` : "";
    warn(`${worked} of ${items.length} ${what}${failures}, about ${Math.ceil(leftSeconds)} s left`);
  }, progressEverySeconds * 1000);
  progress.unref();
  const limit = pLimit(atOnce);
  try {
    await limit.map([...items], async (item) => {
      try {
        await work(item);
      } catch (error) {
        failed.push({ item, error });
      }
      worked += 1;
    });
  } finally {
    clearInterval(progress);
  }
  return { failed };
}
