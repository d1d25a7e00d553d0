import type { BusEvent } from "../../src/receiver/delivery/bus-event.ts";
import type { Bus, DeliveryPorts } from "../../src/receiver/delivery/deliver.ts";
import type { Ledger } from "../../src/receiver/ledger/ledger.ts";

/** A ledger and a bus that record their calls, and of which one call can fail as if the process crashed. */
export interface FailingPorts extends DeliveryPorts {
  /** The events that the bus has accepted. */
  readonly published: BusEvent[];
  /** The names of the calls so far. */
  readonly calls: string[];
  /** Makes the call with this number fail, before or after it takes effect. Without a number, no call fails. */
  failAt(number?: number, moment?: "before" | "after"): void;
}

/** Wraps a real ledger. The bus collects its events in `published`. */
export function failingPorts(real: Ledger): FailingPorts {
  const published: BusEvent[] = [];
  const calls: string[] = [];
  let failing: { number: number; moment: "before" | "after" } | undefined;

  const around = async <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
    const number = calls.push(name) - 1;
    const fails = (moment: string) => failing?.number === number && failing.moment === moment;
    if (fails("before")) throw new Error(`interrupted before ${name}`);
    const result = await call();
    if (fails("after")) throw new Error(`interrupted after ${name}`);
    return result;
  };
  const ledger: Ledger = {
    putIfAbsent: (record) => around("putIfAbsent", () => real.putIfAbsent(record)),
    putUnqueued: (record) => around("putUnqueued", () => real.putUnqueued(record)),
    listUnqueued: () => real.listUnqueued(),
    updateStatus: (record, status) => around("updateStatus", () => real.updateStatus(record, status)),
    find: (ingestId) => real.find(ingestId),
    list: (query) => real.list(query),
    findObservations: (events) => around("findObservations", () => real.findObservations(events)),
    putObservation: (event, observation, replaceable) =>
      around(`putObservation ${observation.state}`, () => real.putObservation(event, observation, replaceable)),
    baselineCompletedAt: () => around("baselineCompletedAt", () => real.baselineCompletedAt()),
    reserveSweep: (now, until) => real.reserveSweep(now, until),
    completeBaseline: (at) => around("completeBaseline", () => real.completeBaseline(at)),
  };
  const bus: Bus = { publish: (event) => around("publish", async () => void published.push(event)) };
  return {
    ledger,
    bus,
    published,
    calls,
    failAt: (number, moment = "before") => {
      failing = number === undefined ? undefined : { number: calls.length + number, moment };
    },
  };
}
