import type { DeliveryPorts } from "../../../src/receiver/consume/deliver.ts";
import type { Ledger } from "../../../src/receiver/ledger/ledger.ts";
import type { Bus, BusEvent } from "../../../src/receiver/ports.ts";

/** A ledger and a bus of which one call fails, as a crash would have it. */
export interface FailingPorts extends DeliveryPorts {
  /** What the bus has been given. */
  readonly published: BusEvent[];
  /** The calls so far, by their names. */
  readonly calls: string[];
  /** Lets the call of that number fail, before or after it has taken effect. Without a number, none. */
  failAt(number?: number, moment?: "before" | "after"): void;
}

/** Around a real ledger; the bus is a list. */
export function failingPorts(real: Ledger): FailingPorts {
  const published: BusEvent[] = [];
  const calls: string[] = [];
  let failing: { number: number; moment: "before" | "after" } | undefined;

  const around = async <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
    const number = calls.push(name) - 1;
    const fails = (moment: string) => failing?.number === number && failing.moment === moment;
    if (fails("before")) throw new Error(`cut off before ${name}`);
    const result = await call();
    if (fails("after")) throw new Error(`cut off after ${name}`);
    return result;
  };
  const ledger: Ledger = {
    keep: (record) => around("keep", () => real.keep(record)),
    settle: (ingestId, status) => around("settle", () => real.settle(ingestId, status)),
    find: (ingestId) => real.find(ingestId),
    sightings: (subjects) => around("sightings", () => real.sightings(subjects)),
    sight: (subject, sighting, over) => around(`sight ${sighting.state}`, () => real.sight(subject, sighting, over)),
    stockTakenAt: () => around("stockTakenAt", () => real.stockTakenAt()),
    finishStock: (at) => around("finishStock", () => real.finishStock(at)),
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
