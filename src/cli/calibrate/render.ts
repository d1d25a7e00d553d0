import { consequencesOf } from "../../calibration/consequences.ts";
import { answersOf, type Profile } from "../../platform-profile/profile.ts";
import { questions } from "../../platform-profile/questions.ts";
import { indented, table } from "../fit.ts";
import { toJson } from "../output.ts";
import type { Shell } from "../shell.ts";

/** What a calibration has to tell. */
export interface Calibration {
  /** The profile as it was written. */
  profile: Profile;
  /** The answers that are other ones than before. */
  changes: { question: string; old: unknown; now: unknown }[];
  /** The questions without an answer: why, and the rule that is kept instead. */
  unknown: { question: string; why: string; otherwise: string }[];
  observations: readonly string[];
}

export function renderJson({ profile, ...rest }: Calibration): string {
  return toJson({ ...profile, ...rest, consequences: consequencesOf(answersOf(profile)) });
}

/** @param path of the profile. */
export function renderText(
  { styled }: Pick<Shell, "styled">,
  { profile, changes, unknown, observations }: Calibration,
  path: string,
): string {
  const answered = questions.flatMap(([name]): [string, string, string, string][] => {
    const one: { answer: unknown; basis: string; evidence?: string } | undefined = Object(profile.answers)[name];
    return one === undefined ? [] : [[name, shownAnswer(one.answer), one.basis, one.evidence ?? ""]];
  });
  const rows = table([["QUESTION", "ANSWER", "BASIS"], ...answered.map((row) => row.slice(0, 3))]).split("\n");
  const lines = rows.flatMap((row, at) => {
    const evidence = answered[at - 1]?.[3];
    return evidence ? [row, indented(evidence, "  ")] : [row];
  });
  const section = (title: string, sentences: readonly string[]) =>
    sentences.length === 0 ? [] : ["", styled("bold", title), ...sentences.map((one) => indented(one))];
  return [
    profile.baseUrl,
    "",
    ...lines,
    ...section(
      "Changed since the last time",
      changes.map(({ question, old, now }) => `${question}: ${shownAnswer(old)} -> ${shownAnswer(now)}`),
    ),
    ...section(
      "Not found out",
      unknown.map(({ question, why, otherwise }) => `${question}: ${why}. Until then: ${otherwise}`),
    ),
    ...section("What follows on this platform", consequencesOf(answersOf(profile))),
    ...section("Also seen", observations),
    "",
    `The profile is in ${path}. Name it in the stack's config: integration-platform:platform`,
    "",
  ].join("\n");
}

function shownAnswer(answer: unknown): string {
  if (Array.isArray(answer)) return answer.length === 0 ? "none" : answer.join(", ");
  if (typeof answer !== "object" || answer === null) return String(answer);
  return Object.entries(answer)
    .map(([key, words]) => `${key}: ${shownAnswer(words)}`)
    .join("; ");
}
