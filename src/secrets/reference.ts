import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { isUnknown } from "../json/unknown.ts";

/** A secret that is declared by where it is, so that neither inputs nor state hold its value: docs/guides/secrets.md. */
export interface SecretReference {
  /** `scheme:rest`, such as `env:ACME_TOKEN`. The scheme names the resolver, which understands the rest. */
  ref: string;
  /** The resolver's own version where it has versions; else a marker whose change writes the value again. */
  version?: string | number | undefined;
}

/**
 * The keys that lead from a free-form object, `configs` or `metadata`, to a value in it. The empty path is the object itself.
 */
export type Path = readonly string[];

/** The path of a free-form object itself. Its keys are the user's, whatever their names, so it is never a reference or an escape. */
export type Root = readonly [];

/** What a value of a free-form object means. */
export type Meaning =
  | { kind: "reference"; reference: SecretReference; differs: boolean }
  /** It has the form of a reference and is none. Without a problem, a part of it is not known yet. */
  | { kind: "malformed"; problem: string | undefined }
  | { kind: "escape"; literal: JsonObject }
  | { kind: "plain" };

/** The property of an observed reference whose value the platform does not have. */
const differsKey = "differs";

const escapeHint = "To declare such an object as it is, write { literal: { ref: ... } }";

const plain: Meaning = { kind: "plain" };

/**
 * What a value means: a reference, observed or not; an escape, `{ literal: <what has the form of a reference or of an escape> }`;
 * or only itself.
 *
 * @param path of the value within its free-form object.
 */
export function meaningOf(value: unknown, path: Path): Meaning {
  if (path.length === 0 || !isJsonObject(value)) return plain;
  const literal = literalOf(value);
  if (literal !== undefined) return { kind: "escape", literal };
  if (!hasReferenceForm(value)) return plain;
  const { ref, version, [differsKey]: differs } = value;
  const problem = formProblem(value);
  if (typeof ref !== "string" || problem !== undefined) return { kind: "malformed", problem };
  const isVersion = typeof version === "string" || typeof version === "number";
  return { kind: "reference", reference: isVersion ? { ref, version } : { ref }, differs: differs === true };
}

/** The reference that a value is, observed or not. */
export function referenceAt(value: unknown, path: Path): SecretReference | undefined {
  const meaning = meaningOf(value, path);
  return meaning.kind === "reference" ? meaning.reference : undefined;
}

/** Whether a value is an observed reference whose value the platform does not have. */
export function isDiffering(value: unknown, path: Path): boolean {
  const meaning = meaningOf(value, path);
  return meaning.kind === "reference" && meaning.differs;
}

/** Whether a value means something else than itself: an observed one would, if it were declared. */
export function isMistakable(value: unknown, path: Path): boolean {
  return meaningOf(value, path).kind !== "plain";
}

/** Whether a value is an object with `ref`, a string, and perhaps `version`. The observed form has `differs: true` too. */
function hasReferenceForm(value: JsonObject): boolean {
  if (!Object.hasOwn(value, "ref")) return false;
  const { ref, version: _, [differsKey]: differs, ...others } = value;
  const isRef = typeof ref === "string" || isUnknown(ref);
  const isObserved = Object.hasOwn(value, differsKey);
  return isRef && (!isObserved || differs === true) && Object.keys(others).length === 0;
}

function literalOf(value: JsonObject): JsonObject | undefined {
  const { literal } = value;
  if (!isJsonObject(literal) || Object.keys(value).length !== 1) return undefined;
  return hasReferenceForm(literal) || literalOf(literal) !== undefined ? literal : undefined;
}

/** What is wrong with a value that has the form of a reference. */
function formProblem({ ref, version }: JsonObject): string | undefined {
  if (isUnknown(ref) || isUnknown(version)) return undefined;
  if (typeof ref !== "string" || !/^[a-z][a-z\d+.-]*:\P{Cc}+$/u.test(ref)) {
    return `looks like a reference to a secret, but its ref is not like env:NAME. ${escapeHint}`;
  }
  const isVersion = typeof version === "number" ? Number.isSafeInteger(version) : typeof version === "string";
  if (version === undefined || (isVersion && version !== "")) return undefined;
  return `looks like a reference to a secret, but its version is neither a whole number nor a string. ${escapeHint}`;
}

/** The hint for values that need not be a reference. */
export function orEscape(reason: string): string {
  return `${reason}${reason.endsWith("?") ? "" : "."} ${escapeHint}`;
}

/** The scheme of a reference and what follows it. */
export function partsOfRef({ ref }: SecretReference): { scheme: string; rest: string } {
  const end = ref.indexOf(":");
  return { scheme: ref.slice(0, end), rest: ref.slice(end + 1) };
}

/** The same for the same reference and version. */
export function referenceKey({ ref, version }: SecretReference): string {
  return JSON.stringify([ref, version === undefined ? null : String(version)]);
}

/** A reference in messages: `env:ACME_TOKEN (version 3)`. */
export function describeReference({ ref, version }: SecretReference): string {
  return version === undefined ? ref : `${ref} (version ${version})`;
}

/** A reference as it is declared and stored. */
export function declaredForm({ ref, version }: SecretReference): JsonObject {
  return version === undefined ? { ref } : { ref, version };
}

/** A reference whose value the platform does not have, as it is observed. */
export function differingForm(reference: SecretReference): JsonObject {
  return { ...declaredForm(reference), [differsKey]: true };
}
