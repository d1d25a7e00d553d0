import type { EmulatorOptions, Variants } from "../../src/emulator/index.ts";
import { type Stage, stage } from "./stage.ts";

/** What reads show in place of a secret. */
export const displays = ["yes", "other", "left-out", "null"] as const;

export type Hiding = Variants["maskedConfigs"];

/** A stage whose platform hides the secrets that its schemas mark. */
export function stageHiding(
  maskedConfigs: Hiding,
  seed: NonNullable<EmulatorOptions["seed"]>,
  variants: Partial<Variants> = {},
): Promise<Stage> {
  return stage({ seed, variants: { ...variants, maskedConfigs } });
}
