import { changeVariants, defaultVariants, type Variants } from "../../src/emulator/variants.ts";
import { pairwise } from "../model/pairwise.ts";

/** The variants that a rollout depends on, with the values with which every story can be judged. */
const varied: { readonly [Name in keyof Variants]?: readonly Variants[Name][] } = {
  patchAnswer: ["object", "nothing", "empty"],
  pageSize: ["asked", "capped"],
  releaseAndChannel: ["accept", "refuse"],
  statusWords: ["plain", "capitalized", "queue"],
  unconnectedSync: ["refuse", "missing", "fail-run", "accept"],
  pausedSync: ["accept", "refuse"],
  absentField: ["none", "archived", "dates"],
  schemaDefaults: ["fill", "leave"],
};

/** Platforms with combinations of these variants: every two values occur together at least once. */
export const platforms: readonly Variants[] = pairwise(
  Object.fromEntries(Object.entries(varied).map(([name, values]) => [name, values])),
).map((row) => changeVariants(defaultVariants, row));
