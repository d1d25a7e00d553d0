import type { OperationContext } from "../../operation/operation-context.ts";
import { describeFleet } from "./entry.ts";
import { inTurns } from "./in-turns.ts";
import type { TenantFleetInputs } from "./schema.ts";

const progressEverySeconds = 5;

interface Work<Item> {
  fleet: Pick<TenantFleetInputs, "name">;
  /** The finished items in messages, such as `tenants applied`. */
  what: string;
  items: readonly Item[];
  /** The maximum concurrency. Default 64, as the client limits the number of concurrent requests itself. */
  atOnce?: number | undefined;
  work: (item: Item) => Promise<void>;
}

/** Works on all items concurrently. A failure does not stop the other items. Notes tell the progress of long work. */
export async function allAtOnce<Item>(
  { note, onBusy }: Pick<OperationContext, "note" | "onBusy">,
  { fleet, what, items, atOnce = 64, work }: Work<Item>,
): Promise<{ failed: { item: Item; error: unknown }[] }> {
  let worked = 0;
  const failed: { item: Item; error: unknown }[] = [];
  const start = performance.now();
  const progress = setInterval(() => {
    if (worked === 0) return;
    const leftSeconds = (((performance.now() - start) / worked) * (items.length - worked)) / 1000;
    const failures = failed.length > 0 ? `, ${failed.length} of them failed` : "";
    const left = `about ${Math.ceil(leftSeconds)} s left`;
    note(`${describeFleet(fleet)}: ${worked} of ${items.length} ${what}${failures}, ${left}`);
  }, progressEverySeconds * 1000);
  progress.unref();
  try {
    await inTurns(
      items,
      atOnce,
      async (item) => {
        try {
          await work(item);
        } catch (error) {
          failed.push({ item, error });
        }
        worked += 1;
      },
      onBusy,
    );
  } finally {
    clearInterval(progress);
  }
  return { failed };
}
