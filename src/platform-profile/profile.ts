import { z } from "zod";
import { normalizeBaseUrl } from "../api/base-url.ts";
import { describeIssues, keyNouns } from "../inputs/describe-issues.ts";
import { formatPath } from "../json/key-path.ts";
import { parseJson } from "../json/parse-json.ts";
import { answersSchema, type PlatformAnswers } from "./questions.ts";

/** The version of the form of profiles. Another one is refused. */
const formVersion = 1;

/** The profile of a platform: what was measured of it, a JSON file beside the stack's file. */
export const profileSchema = z
  .strictObject({
    $schema: z.string().optional().describe("The JSON Schema of this file, for editors."),
    version: z
      .literal(formVersion, `must be ${formVersion}, the only version that this package reads`)
      .describe("The version of this form."),
    baseUrl: z.string("must be the address of the platform").describe("The address of the platform that was measured."),
    measuredAt: z.iso
      .datetime("must be a time such as 2026-01-31T12:00:00.000Z")
      .optional()
      .describe("When it was measured last."),
    measuredBy: z.string().optional().describe("The version of this package that measured it."),
    answers: answersSchema.describe("The answers, by question. A question without an answer has one safe rule."),
  })
  .register(keyNouns, { noun: "a part of a profile" });

export type Profile = z.infer<typeof profileSchema>;

/** The text of a file is no profile, or the profile of another platform. */
export class ProfileError extends Error {
  override readonly name = "ProfileError";
}

/**
 * Reads the text of a profile.
 *
 * @param path of the file, for messages.
 * @throws ProfileError that names the place of each mistake.
 */
export function parseProfile(text: string, path: string): Profile {
  const parsed = parseJson(text);
  if (!parsed.isJson) throw new ProfileError(`${path} is ${parsed.problem}`);
  const { data, error } = profileSchema.safeParse(parsed.value);
  if (error === undefined) return data;
  const problems = describeIssues(error.issues, profileSchema, parsed.value).map(({ path: place, reason }) => {
    const at = formatPath(place.map(String));
    return at === "" ? `${path} ${reason}` : `${path}: ${at} ${reason}`;
  });
  throw new ProfileError(problems.join("; "));
}

/**
 * Refuses the profile of another platform: its answers say nothing about this one.
 *
 * @throws ProfileError with both addresses.
 */
export function requireAddress(profile: Pick<Profile, "baseUrl">, baseUrl: string, path: string): void {
  const [measured, used] = [profile.baseUrl, baseUrl].map(normalizeBaseUrl);
  if (measured === used) return;
  throw new ProfileError(
    `${path} is the profile of ${measured}, and not of ${used}. Name the profile of this platform, or make one with ` +
      "integration-platform calibrate",
  );
}

/** The answers of a profile without their evidence. */
export function answersOf({ answers }: Pick<Profile, "answers">): PlatformAnswers {
  return Object.fromEntries(Object.entries(answers).map(([name, one]) => [name, one?.answer]));
}
