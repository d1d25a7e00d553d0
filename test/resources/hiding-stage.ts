import type { EmulatorOptions, Variants } from "../../src/emulator/index.ts";
import { type Stage, stage, stageShowing } from "./stage.ts";

/** What reads show in place of a secret. `null` and `text`, the same one for each secret, are none of the emulator's variants. */
export const displays = ["yes", "marker", "tail", "digest", "left-out", "null", "text"] as const;

export type Hiding = "no" | (typeof displays)[number];

/** A stage whose platform hides the secrets `token`, `other` and `pin` in reads, and with a variant of the emulator all marked ones. */
export function stageHiding(
  hiding: Hiding,
  seed: NonNullable<EmulatorOptions["seed"]>,
  variants: Partial<Variants> = {},
): Promise<Stage> {
  if (hiding !== "null" && hiding !== "text") return stage({ seed, variants: { ...variants, maskedConfigs: hiding } });
  const shown = hiding === "null" ? "null" : '"set by us"';
  const hide = (body: string) => body.replaceAll(/"(token|other|pin)":"[^"]*"/g, `"$1":${shown}`);
  return stageShowing(hide, { seed, variants });
}
