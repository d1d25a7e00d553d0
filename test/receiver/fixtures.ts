import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../fixtures/events/", import.meta.url);

/** The names of the fixtures, which are the values of `event_type`. */
export const eventNames: readonly string[] = readdirSync(folder).map((file) => file.replace(".json", ""));

/** The payload of an event, written by hand from the specification. `fields` override or add to its fields. */
export function payload(eventType: string, fields: object = {}): Record<string, unknown> {
  return { ...JSON.parse(readFileSync(new URL(`${eventType}.json`, folder), "utf8")), ...fields };
}
