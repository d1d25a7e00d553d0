import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { isUnknown } from "../json/unknown.ts";

/** A secret that is declared by where it is, so that neither inputs nor state hold its value: docs/guides/secrets.md. */
export interface SecretReference {
  /** `scheme:rest`, such as `env:ACME_TOKEN`. The scheme names the resolver, which understands the rest. */
  ref: string;
  /** The resolver's own version where it has versions; else a marker whose change writes the value again. */
  version?: string | number | undefined;
}

/** The property of an observed reference whose value the platform does not have. */
const differsKey = "differs";

const escapeHint = "To declare such an object as it is, write { literal: { ref: ... } }";

/**
 * Whether a value has the form of a reference: an object with `ref`, a string, and perhaps `version`. The observed form has
 * `differs: true` too.
 */
export function hasReferenceForm(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !Object.hasOwn(value, "ref")) return false;
  const { ref, version: _, [differsKey]: differs, ...others } = value;
  const isRef = typeof ref === "string" || isUnknown(ref);
  const isObserved = Object.hasOwn(value, differsKey);
  return isRef && (!isObserved || differs === true) && Object.keys(others).length === 0;
}

/** The reference that a value is, observed or not; `undefined` for any other value, and for one that is malformed. */
export function referenceOf(value: unknown): SecretReference | undefined {
  if (!hasReferenceForm(value) || formProblem(value) !== undefined) return undefined;
  const { ref, version } = value;
  if (typeof ref !== "string") return undefined;
  return typeof version === "string" || typeof version === "number" ? { ref, version } : { ref };
}

/** What is wrong with a value that has the form of a reference. */
export function formProblem({ ref, version }: JsonObject): string | undefined {
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

/** Whether a value is an observed reference whose value the platform does not have. */
export function isDiffering(value: unknown): boolean {
  return hasReferenceForm(value) && value[differsKey] === true;
}

/** A reference as it is declared and stored. */
export function declaredForm({ ref, version }: SecretReference): JsonObject {
  return version === undefined ? { ref } : { ref, version };
}

/** A reference whose value the platform does not have, as it is observed. */
export function differingForm(reference: SecretReference): JsonObject {
  return { ...declaredForm(reference), [differsKey]: true };
}

/** The value that an escape stands for: `{ literal: <what has the form of a reference or of an escape> }`. */
export function literalOf(value: unknown): { value: JsonObject } | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, "literal") || Object.keys(value).length !== 1) return undefined;
  const { literal } = value;
  const isEscape = hasReferenceForm(literal) || literalOf(literal) !== undefined;
  return isEscape && isJsonObject(literal) ? { value: literal } : undefined;
}
