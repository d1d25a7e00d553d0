import type { PlatformAnswers } from "../platform-profile/questions.ts";

/** What a PATCH makes of the keys of a free-form object that it does not have; `undefined` if that is not known. */
export type KeysPatch = PlatformAnswers["configs.patch"];

/**
 * How to remove a key that is no longer declared. The specification names no way, so both are tried in this order: "leave out"
 * sends the object without the key, "send null" the key with null.
 */
export type Removal = (typeof removalWays)[number];

export const removalWays = ["leave out", "send null"] as const;

type ObjectName = "configs" | "metadata";

/** What the profile says that a PATCH of this object does. */
export function keysPatch(platform: PlatformAnswers, name: ObjectName): KeysPatch {
  return platform[`${name}.patch`];
}

/** Whether a PATCH leaves the keys alone that it does not have. Then it has only the declared ones. */
export function isMerge(patch: KeysPatch): boolean {
  return patch === "merge" || patch === "merge-patch";
}

/**
 * How to remove a key of this object.
 *
 * @param tried what this attempt tries unless the profile says that null removes keys.
 */
export function removalOf(platform: PlatformAnswers, name: ObjectName, tried: Removal): Removal {
  const removal = platform[`${name}.removal`];
  return removal === "null" || (removal !== "omit" && isMerge(keysPatch(platform, name))) ? "send null" : tried;
}

/** The way to try after another one. */
export function otherRemoval(removal: Removal): Removal {
  return removal === "leave out" ? "send null" : "leave out";
}
