import type { Failure } from "../../inputs/input-schema.ts";
import { valueAt } from "../../json/key-path.ts";

/**
 * The largest state of a fleet. After a partial failure the engine gets the state in a header, in base64, and accepts no headers
 * of more than 16 MiB: then it would store nothing of what was done (docs/decisions/fleets.md).
 */
const bytesMaximum = 10_000_000;
/** What the state of a tenant has besides its inputs: its id, twice, the outcome of its sync, its place in a rollout's plan. */
const bytesPerTenant = 200;
/** The engine's mark of a secret, and its path if the platform hides it. */
const bytesPerSecret = 200;
/** The pair of a value that the platform shows in a form of its own. */
const bytesPerOwnForm = 50;
/** A platform has few forms of its own. More of them fit beside what the other bounds leave free. */
const ownFormsMaximum = 3;

/** The failure of a fleet whose state could be too large for the engine. */
export function sizeFailures(inputs: object, tenants: object): Failure[] {
  const entries = Object.values(tenants);
  const secrets = [inputs, ...entries].reduce<number>((sum, part) => sum + secretsOf(part), 0);
  const ownForms = entries.reduce<number>((sum, entry) => sum + Math.min(valuesIn(entry), ownFormsMaximum), 0);
  const bytes =
    bytesOf(inputs) + bytesPerTenant * entries.length + bytesPerSecret * secrets + bytesPerOwnForm * ownForms;
  if (bytes <= bytesMaximum) return [];
  const [most, now] = [bytesMaximum, bytes].map((size) => `${(size / 1e6).toFixed(1)} MB`);
  const reason =
    `may take at most ${most} in the state, and would take about ${now}: after a failure, the engine could not store what was ` +
    "done. Divide the fleet: move some of its tenants to another fleet";
  return [{ property: "tenants", reason }];
}

function secretsOf(part: unknown): number {
  const paths = valueAt(part, ["secretPaths"]);
  return Array.isArray(paths) ? paths.length : 0;
}

/** How many values an entry declares that the platform may show in a form of its own: a list is one. */
function valuesIn(entry: unknown): number {
  const { schedule, configs, metadata }: Record<string, unknown> = Object(entry);
  const countOf = (value: unknown): number => {
    if (value === undefined) return 0;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return 1;
    return Object.values(value).reduce<number>((sum, part) => sum + countOf(part), 0);
  };
  return [schedule, configs, metadata].reduce<number>((sum, part) => sum + countOf(part), 0);
}

/** The bytes of a value as a `google.protobuf.Value`, in which the engine's messages have all properties. */
function bytesOf(value: unknown): number {
  if (typeof value === "string") return withHead(Buffer.byteLength(value));
  if (typeof value === "number") return 9;
  if (typeof value !== "object" || value === null) return 2;
  let bytes = 0;
  if (Array.isArray(value)) for (const item of value) bytes += withHead(bytesOf(item));
  else for (const [key, item] of Object.entries(value)) bytes += withHead(bytesOf(key) + withHead(bytesOf(item)));
  return withHead(bytes);
}

/** The bytes of a field of protobuf: its tag and its length come before the value. */
function withHead(bytes: number): number {
  return 1 + (bytes < 2 ** 7 ? 1 : bytes < 2 ** 14 ? 2 : bytes < 2 ** 21 ? 3 : 4) + bytes;
}
