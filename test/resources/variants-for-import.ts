import { type Variants, variantValues } from "../../src/emulator/index.ts";

/** Where the platform stores another value than the one that it was sent, an import has that value. */
const otherValues = ["scheduleForm", "textForm", "listDefaults", "emptyValues"];

/** Every value of every variant alone, and several at once. */
export const variantsForImport: Partial<Variants>[] = [
  {},
  ...Object.entries(variantValues).flatMap(([name, values]) =>
    (otherValues.includes(name) ? [] : values.filter((value) => name !== "numbers" || value !== "strings"))
      .slice(1)
      .map((value): Partial<Variants> => JSON.parse(JSON.stringify({ [name]: value }))),
  ),
  { defaults: "absent", maskedConfigs: "yes", connectionWords: "terse" },
  { absentField: "release", maskedConfigs: "other", metadata: "replace" },
  { absentField: "integration_id", metadataWhenNone: "missing", maskedConfigs: "left-out", sorting: "ignore" },
  { absentField: "integration_release_channel", numbers: "rounded", patchAnswer: "empty", pageSize: "capped" },
  { absentField: "user_schedule", configs: "merge", maskedConfigs: "yes", archivedList: "along", sorting: "refuse" },
];

/** How long a read may take to show a write with these variants, in seconds. */
export function consistencyTimeoutOf({ visibility }: Partial<Variants>): number {
  return visibility === "lagging" ? 12 : visibility === "delayed" ? 3 : 0.3;
}
