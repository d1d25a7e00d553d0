import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { type Stage, stage } from "./stage.ts";

/** A stage with accelerated time: a second on the platform takes a few milliseconds. */
export async function fastStage(options: EmulatorOptions = {}): Promise<Stage> {
  return withPassingTime(await stage({ clock: "manual", ...options }));
}

/**
 * A stage with a manual clock, on which a second of the platform takes a few milliseconds.
 *
 * @param mayPass whether time may pass yet. Default: from now on.
 */
export function withPassingTime(on: Stage, mayPass: () => boolean = () => true): Stage {
  const timer = setInterval(() => mayPass() && void on.emulator.advance({ seconds: 1 }), 20);
  return {
    ...on,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await on[Symbol.asyncDispose]();
    },
  };
}

/** The requests with this method and path since the log was cleared, with their bodies. */
export function requestsOf(on: Stage, method: string, path: RegExp) {
  return on.emulator.requests().filter((record) => record.method === method && path.test(record.path));
}
