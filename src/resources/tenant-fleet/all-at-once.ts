import pLimit from "p-limit";
import type { Platform } from "../platform.ts";

/** How many tenants are worked on at once: the client's own limit decides how many requests go out. */
const tenantsAtOnce = 64;
const progressEverySeconds = 5;

/** Works on all items, as many at once as is useful. One failure stops no other; long work says how far it is. */
export async function allAtOnce<Item>(
  { warn }: Pick<Platform, "warn">,
  what: string,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<{ failed: { item: Item; error: unknown }[] }> {
  let worked = 0;
  const failed: { item: Item; error: unknown }[] = [];
  const start = performance.now();
  const progress = setInterval(() => {
    if (worked === 0) return;
    const leftSeconds = (((performance.now() - start) / worked) * (items.length - worked)) / 1000;
    const failures = failed.length > 0 ? `, ${failed.length} of them failed` : "";
    warn(`${what}: ${worked} of ${items.length} tenants${failures}, about ${Math.ceil(leftSeconds)} s left`);
  }, progressEverySeconds * 1000);
  progress.unref();
  const limit = pLimit(tenantsAtOnce);
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
