import { digest } from "../json/digest.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { isAtOrWithin, valueAt, withoutPart, withPart } from "../json/key-path.ts";
import { pathOf, pointerTo } from "../json/pointer.ts";
import type { SettingPath } from "./reveal.ts";

/**
 * The values that the platform shows in a form of its own, such as a trimmed text: by the JSON Pointer (RFC 6901) of the smallest
 * part that differs, such as `/configs/region`, the pair of the declared value and what reads show in its place. The pair has
 * digests, as a state should not hold values twice. There is none at a declared secret, or at a value that contains one.
 */
export type ShownAs = Readonly<Record<string, string>>;

/** Of each value 30 bits, in five characters, as a fleet's state has them for each tenant: a pair matches by chance once in 2^60. */
const digestLength = 5;
/** Stands in a pair for any shown value: that of a secret which the platform has added, and of which the state keeps nothing. */
const anything = "*";

/** The pair of a declared value and what is shown; `undefined` is a value that is not there. */
function pairOf(declared: JsonValue | undefined, shown: JsonValue | undefined): string {
  return `${partOfPair(declared)} ${partOfPair(shown)}`;
}

function partOfPair(value: JsonValue | undefined): string {
  if (value === undefined) return "-";
  return Buffer.from(digest(value), "hex").toString("base64url").slice(0, digestLength);
}

/** Whether the platform is known to show this declared value so. */
export function isShownAs(
  shownAs: ShownAs,
  path: SettingPath,
  declared: JsonValue | undefined,
  shown: JsonValue | undefined,
): boolean {
  const pair = shownAs[pointerTo(path)];
  return pair === pairOf(declared, shown) || pair === `${partOfPair(declared)} ${anything}`;
}

/** Whether the platform is known to show some declared value of this place so. */
export function isKnownForm(shownAs: ShownAs, path: SettingPath, shown: JsonValue | undefined): boolean {
  return shownAs[pointerTo(path)]?.endsWith(` ${partOfPair(shown)}`) === true;
}

/** The pairs with another one. Of a secret that the platform has added to a declared value, it says only that it is there. */
export function withPair(
  shownAs: ShownAs,
  path: SettingPath,
  declared: JsonValue | undefined,
  shown: JsonValue | undefined,
  isSecret = false,
): ShownAs {
  const pair = isSecret ? `${partOfPair(undefined)} ${anything}` : pairOf(declared, shown);
  return { ...shownAs, [pointerTo(path)]: pair };
}

/**
 * A free-form object as read, with the declared value in each place where the platform shows it in a form of its own. Every
 * comparison uses it.
 *
 * @param name of the setting.
 */
export function inDeclaredForm(
  live: JsonObject,
  { name, declared, shownAs }: { name: string; declared: JsonObject; shownAs: ShownAs },
): JsonObject {
  return pathsIn(shownAs, name).reduce((object, path) => {
    const [wanted, shown] = [valueAt(declared, path), valueAt(live, path)];
    if (!isShownAs(shownAs, [name, ...path], wanted, shown)) return object;
    return wanted === undefined ? withoutPart(object, path) : withPart(object, path, wanted);
  }, live);
}

/** The pairs that are still about a declared key, and about nothing that is a secret now. */
export function pairsToKeep(
  shownAs: ShownAs,
  isDeclared: (path: SettingPath) => boolean,
  secretPaths: readonly SettingPath[],
): ShownAs {
  const entries = Object.entries(shownAs).filter(([pointer]) => {
    const path = pathOf(pointer);
    const isSecret = secretPaths.some((secret) => isAtOrWithin(path, secret) || isAtOrWithin(secret, path));
    return isDeclared(path) && !isSecret;
  });
  return Object.fromEntries(entries);
}

function pathsIn(shownAs: ShownAs, name: string): SettingPath[] {
  const paths = Object.keys(shownAs).map(pathOf);
  return paths.flatMap(([first, ...path]) => (first === name ? [path] : []));
}
