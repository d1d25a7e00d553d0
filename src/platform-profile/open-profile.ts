import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { answersOf, ProfileError, parseProfile, requireAddress } from "./profile.ts";
import type { PlatformAnswers } from "./questions.ts";

/** What is known about the platform, or why its profile cannot be used. */
export interface OpenedProfile {
  answers: PlatformAnswers;
  /** Why there are no answers although a profile is named. */
  problem?: string;
}

/**
 * Opens the profile that a stack, a provider or a command names.
 *
 * @param path of its file, relative to the directory; `undefined` if none is named.
 * @param baseUrl the address of the platform that is used; `undefined` if it is not known yet.
 */
export function openProfile(path: string | undefined, directory: string, baseUrl: string | undefined): OpenedProfile {
  if (!path) return { answers: {} };
  try {
    const profile = parseProfile(readFileSync(resolve(directory, path), "utf8"), path);
    if (baseUrl !== undefined) requireAddress(profile, baseUrl, path);
    return { answers: answersOf(profile) };
  } catch (error) {
    if (error instanceof ProfileError) return { answers: {}, problem: error.message };
    if (!(error instanceof Error && "code" in error)) throw error;
    return { answers: {}, problem: `the profile ${path} cannot be read (${error.code})` };
  }
}
