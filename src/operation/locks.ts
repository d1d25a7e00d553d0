import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Claims, Writer } from "./claims.ts";
import { shortDigest } from "./short-digest.ts";

/** Locks that all provider processes of an operation share. The end of a process frees its locks. */
export interface Locks {
  /** Takes the lock and returns a function that frees it; `undefined` if it is taken. */
  take(key: string): (() => void) | undefined;
  /** Runs work after all earlier work with the same key has ended. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
}

const pauseMilliseconds = 20;

export function createLocks(claims: Claims): Locks {
  const queues = new Map<string, { by: Writer; turn: number }[]>();
  const tails = new Map<string, Promise<unknown>>();
  let turns = 0;

  // all processes see the requests in one order, so the first one whose process is alive has the lock
  const request = claims.define("lock", z.tuple([z.string(), z.int()]), (by, key, turn) => {
    const queue = queues.get(key) ?? [];
    if (queue.some((other) => other.by === by && other.turn === turn)) return;
    queues.set(key, [...queue, { by, turn }]);
  });
  const free = claims.define("unlock", z.tuple([z.string(), z.int()]), (by, key, turn) => {
    const left = (queues.get(key) ?? []).filter((other) => other.by !== by || other.turn !== turn);
    if (left.length > 0) queues.set(key, left);
    else queues.delete(key);
  });

  const enqueue = (name: string) => {
    const key = shortDigest(name);
    turns += 1;
    const turn = turns;
    request(key, turn);
    return {
      isFirst: () => {
        claims.sync();
        const first = queues.get(key)?.find(({ by }) => by.isAlive());
        return first?.by === claims.own && first.turn === turn;
      },
      leave: () => free(key, turn),
    };
  };

  return {
    take: (key) => {
      const place = enqueue(key);
      if (place.isFirst()) return place.leave;
      place.leave();
      return undefined;
    },
    exclusively: (key, work) => {
      const result = (tails.get(key) ?? Promise.resolve()).then(async () => {
        const place = enqueue(key);
        try {
          while (!place.isFirst()) await sleep(pauseMilliseconds);
          return await work();
        } finally {
          place.leave();
        }
      });
      tails.set(
        key,
        result.catch(() => undefined),
      );
      return result;
    },
  };
}
