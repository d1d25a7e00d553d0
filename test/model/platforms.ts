import { changeVariants, defaultVariants, type Variants, variantValues } from "../../src/emulator/variants.ts";
import { pairwise } from "./pairwise.ts";

/** Values under which nothing can be judged, and why. */
const excluded: Readonly<Record<string, readonly string[]>> = {
  builds: ["never", "slow"], // a build that does not end within seconds is waited for until the time is up
};

/** Platforms that answer what the specification leaves open: every two answers together at least once. */
export const platforms: readonly Variants[] = pairwise(
  Object.fromEntries(
    Object.entries(variantValues).map(([name, values]) => [
      name,
      values.filter((value) => !excluded[name]?.includes(value)),
    ]),
  ),
).map((row) => changeVariants(defaultVariants, row));
