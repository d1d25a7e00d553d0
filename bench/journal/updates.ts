import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { HTTPException } from "hono/http-exception";
import type { StackFiles, StackName } from "./stack-files.ts";

/** One `up`, `preview`, `refresh`, `destroy` or `stack import`. */
export interface Update {
  readonly id: string;
  readonly stack: StackName;
  readonly kind: string;
  status: "not started" | "running" | "succeeded" | "failed" | "cancelled";
  /** Until when the engine keeps the stack locked, unless it renews its lease. Milliseconds since 1970. */
  leaseExpiresAt: number;
}

/** The updates since the service started. Only one at a time changes a stack; previews change nothing. */
export interface Updates {
  create(stack: StackName, kind: string): Update;
  /** @throws HTTPException 404 */
  find(stack: StackName, id: string): Update;
  /** The update that changes the stack now, or that was killed. */
  active(stack: StackName): Update | undefined;
  /** Locks the stack. @throws HTTPException 409 if another update has locked it. */
  start(update: Update): Promise<void>;
  renewLease(update: Update): void;
  /** @throws HTTPException 409 if the update does not run. */
  requireRunning(update: Update): void;
  /** Writes the checkpoint and unlocks the stack. */
  end(update: Update, status: Update["status"]): Promise<void>;
}

/** How long a lease lasts. Milliseconds; the engine assumes five minutes. */
const leaseMilliseconds = 300_000;

export function createUpdates(files: StackFiles): Updates {
  const updates = new Map<string, Update>();
  const active: Updates["active"] = (stack) =>
    [...updates.values()].find(
      (update) => update.status === "running" && update.kind !== "preview" && isDeepStrictEqual(update.stack, stack),
    );
  const renewLease = (update: Update) => {
    update.leaseExpiresAt = Date.now() + leaseMilliseconds;
  };
  const end: Updates["end"] = async (update, status) => {
    if (update.kind !== "preview") await files.write(update.stack, await files.read(update.stack));
    update.status = status;
  };
  return {
    create: (stack, kind) => {
      const update: Update = { id: randomUUID(), stack, kind, status: "not started", leaseExpiresAt: 0 };
      updates.set(update.id, update);
      return update;
    },
    find: (stack, id) => {
      const update = updates.get(id);
      if (update !== undefined && isDeepStrictEqual(update.stack, stack)) return update;
      throw new HTTPException(404, { message: "Not Found: there is no such update" });
    },
    active,
    start: async (update) => {
      const other = update.kind === "preview" ? undefined : active(update.stack);
      if (other !== undefined && other.leaseExpiresAt > Date.now())
        throw new HTTPException(409, { message: "Conflict: Another update is currently in progress." });
      if (other !== undefined) await end(other, "failed");
      update.status = "running";
      renewLease(update);
    },
    renewLease,
    requireRunning: ({ status }) => {
      if (status !== "running") throw new HTTPException(409, { message: `Conflict: the update is ${status}` });
    },
    end,
  };
}
