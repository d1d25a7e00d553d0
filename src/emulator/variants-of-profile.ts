import { type PlatformAnswers, type Question, settingsNotTaken } from "../platform-profile/questions.ts";
import { connectionWords, runWords } from "./rules/status-words.ts";
import { changeVariants, defaultVariants, type Variants } from "./variants.ts";

/** How an emulator plays a platform. */
export interface PlayedProfile {
  variants: Variants;
  /** How long writes stay invisible; `undefined` if they do not. */
  lagSeconds: number | undefined;
  /** The questions whose answer the emulator cannot play. */
  notPlayed: Question[];
}

const displays = { shown: "no", masked: "other", omitted: "left-out", null: "null" } as const;
const answersShown = { stored: "object", echoed: "echoed", nothing: "nothing" } as const;
const scheduleForms = { kept: "kept", own: "suffixed", shifted: "shifted" } as const;

/** The variants that behave as a profile says. Where it says only that a form is the platform's own, the emulator has one. */
export function variantsOfProfile(answers: PlatformAnswers): PlayedProfile {
  const lag = answers["reads.lagSeconds"] ?? 0;
  const display = answers["secrets.display"];
  const shown = answers["answers.show"];
  const schedule = answers["schedule.form"];
  const ownForms = { numbers: "strings", textForm: "trimmed", listDefaults: "added" };
  const change = {
    configs: answers["configs.patch"],
    metadata: answers["metadata.patch"],
    pausedUnconnected: answers["paused.unconnected"],
    maskedConfigs: display && displays[display],
    patchAnswer: shown && answersShown[shown],
    scheduleForm: schedule && scheduleForms[schedule],
    ...(answers["values.form"] === "own" && ownForms),
    ...(lag > 0 && { visibility: "lagging" }),
    statusWords: variantWith(runWords, answers["runs.words"]),
    connectionWords: variantWith(connectionWords, answers["connectors.words"]),
  };
  return {
    variants: changeVariants(defaultVariants, change),
    lagSeconds: lag > 0 ? lag : undefined,
    notPlayed: [
      ...(settingsNotTaken(answers).length > 0 ? ["tenant.patch" as const] : []),
      ...(answers["schemas.enforced"] === "no" ? ["schemas.enforced" as const] : []),
      ...(change.statusWords === undefined && answers["runs.words"] ? ["runs.words" as const] : []),
      ...(change.connectionWords === undefined && answers["connectors.words"] ? ["connectors.words" as const] : []),
    ],
  };
}

/** The variant that has all of the words; `undefined` if none has. */
function variantWith(words: Readonly<Record<string, object>>, answer: object | undefined): string | undefined {
  const wanted: unknown[] = Object.values(answer ?? {}).flat();
  if (wanted.length === 0) return undefined;
  return Object.entries(words).find(([, known]) => wanted.every((word) => Object.values(known).includes(word)))?.[0];
}
