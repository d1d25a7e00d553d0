import { all } from "./all.ts";
import { answers } from "./answers.ts";
import type { Disturb } from "./disturbance.ts";
import { key } from "./key.ts";
import { network } from "./network.ts";
import { operator } from "./operator.ts";
import { others } from "./others.ts";
import { pipelines } from "./pipelines.ts";
import { rateLimit } from "./rate-limit.ts";

/** The kinds of disturbance, by the names that `--kinds` takes. */
const disturbances: Readonly<Record<string, Disturb>> = {
  answers,
  operator,
  network,
  key,
  others,
  pipelines,
  "rate-limit": rateLimit,
  all,
};

export const kinds: readonly string[] = Object.keys(disturbances);

/** @throws Error that lists the kinds. */
export function disturbanceNamed(name: string): Disturb {
  const found = disturbances[name];
  if (found !== undefined) return found;
  throw new Error(`there is no kind "${name}"; there are: ${kinds.join(", ")}`);
}

/** The kind of a round, which comes from its seed: eight in a row have them all. */
export function kindOf(seed: number): string {
  return kinds[seed % kinds.length] ?? "answers";
}
