import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../src/json/json-value.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import type { KeptTenant } from "../stage.ts";

/** What the platform must have after a successful operation. */
export interface Expected {
  declared: TenantInputs;
  /** The previous declaration. Default: none, the tenant is new. */
  formerly?: TenantInputs | undefined;
  /** The tenant before the operation. Absent if it is new. */
  before?: KeptTenant | undefined;
  /** Whether the platform fills in the defaults of the schemas. */
  isFilled: boolean;
  /** Whether keys that are no longer declared must be removed. */
  isRemoved: boolean;
}

const releaseIds: Readonly<Record<string, number>> = { v1: 11, v2: 12, v3: 13 };
/** The defaults in the schemas of the third release in `arbitrary.ts`. */
const defaults: Readonly<Record<"configs" | "metadata", JsonObject>> = {
  configs: { a: { x: 1 }, b: "B" },
  metadata: { a: [] },
};

/** The paths at which the stored tenant differs from what it must be. Shares no code with the lifecycle. */
export function differencesFrom(expected: Expected, kept: KeptTenant): string[] {
  const { declared, before, isRemoved } = expected;
  const { name, paused, schedule, release } = declared;
  const isReleaseKept = before === undefined || isDeepStrictEqual(releaseOf(kept), releaseOf(before));
  const facts = {
    name: kept.name === name,
    archived: kept.archived === false,
    // a tenant is resumed only if everything else is as declared
    paused: kept.paused === (paused ?? before?.paused ?? true) || (!isRemoved && kept.paused),
    schedule: isSchedule(kept.user_schedule, schedule, before),
    release: release === undefined ? isReleaseKept : isRelease(kept, release),
  };
  const wrong = Object.entries(facts).flatMap(([path, isRight]) => (isRight ? [] : [path]));
  return [...wrong, ...keysThatDiffer("configs", expected, kept), ...keysThatDiffer("metadata", expected, kept)];
}

function isSchedule(found: string | null, declared: string | undefined, before: KeptTenant | undefined): boolean {
  if (declared === undefined) return before === undefined || found === before.user_schedule;
  if (declared === "none") return found === null;
  return found !== null && words(found) === words(declared);
}

function words(cron: string): string {
  return cron.trim().split(/\s+/).join(" ");
}

function isRelease(kept: KeptTenant, declared: NonNullable<TenantInputs["release"]>): boolean {
  if ("channel" in declared) return kept.integration_release_channel === declared.channel;
  const id = declared.id ?? releaseIds[declared.tag ?? ""];
  return kept.integration_release_channel === null && kept.integration_release_id === id;
}

function releaseOf({ integration_release_id, integration_release_channel }: KeptTenant): unknown[] {
  return [integration_release_id, integration_release_channel];
}

function keysThatDiffer(part: "configs" | "metadata", expected: Expected, kept: KeptTenant): string[] {
  const { declared, formerly, before, isFilled, isRemoved } = expected;
  const found = valuesOf(kept[part]);
  const wanted = valuesOf(declared[part]);
  const ours = valuesOf(formerly?.[part]);
  const others = new Map([...valuesOf(before?.[part])].filter(([key]) => !ours.has(key)));
  const filled = valuesOf(isFilled ? defaults[part] : {});
  const isRight = (key: string) => {
    const value = found.get(key);
    if (wanted.has(key)) return isDeepStrictEqual(value, wanted.get(key));
    if (others.has(key)) return isDeepStrictEqual(value, others.get(key));
    if (!found.has(key) || (filled.has(key) && isDeepStrictEqual(value, filled.get(key)))) return true;
    return ours.has(key) && !isRemoved;
  };
  const keys = new Set([...found.keys(), ...wanted.keys(), ...others.keys()]);
  return [...keys].filter((key) => !isRight(key)).map((key) => `${part}.${key}`);
}

function valuesOf(object: JsonObject | null | undefined): Map<string, unknown> {
  return new Map(Object.entries(object ?? {}));
}
