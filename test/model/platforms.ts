import { changeVariants, defaultVariants, type Variants, variantValues } from "../../src/emulator/variants.ts";
import { pairwise } from "./pairwise.ts";

/** Values with which no story can be judged, and the reason. */
const excluded: { readonly [Name in keyof Variants]?: readonly Variants[Name][] } = {
  builds: ["never", "slow"], // a story would wait for such a build until its time limit
  // the model knows neither tenants that wait for their customers nor busy ones, and no schedule that differs after each write
  pausedUnconnected: ["refused", "ignored"],
  busy: ["409", "423"],
  scheduleForm: ["shifted"],
  // a write of a whole object gives the values that nobody declares a form of their own too, and the model takes that for a change
  textForm: ["trimmed"],
  numbers: ["strings"],
  listDefaults: ["added"],
  emptyValues: ["dropped"],
};

/** Platforms with combinations of variants: every two values occur together at least once. */
export const platforms: readonly Variants[] = pairwise(
  Object.fromEntries(
    Object.entries(variantValues).map(([name, values]) => [
      name,
      values.filter(
        (value) => !new Map<string, readonly string[]>(Object.entries(excluded)).get(name)?.includes(value),
      ),
    ]),
  ),
).map((row) => changeVariants(defaultVariants, row));
