import { isDeepStrictEqual } from "node:util";
import { withoutMarks } from "../engine/secrets.ts";
import type { Settings } from "../model.ts";
import { isReference } from "../program.ts";
import { type RawTenant, rawAt } from "../raw-store.ts";
import { type Case, declaredPaths, nameOf, type Rule } from "./case.ts";
import { metadataKeysIn, placeNow, resourceOf, slotNow } from "./holders.ts";

const settingPaths = [
  "name",
  "paused",
  "user_schedule",
  "integration_release_id",
  "integration_release_channel",
  "source",
];
/** The values that the platform may add itself: the defaults of the releases' schemas. */
const filledIn = ["configs.currency"];

/** Undeclared values stay unchanged, byte for byte. */
export const leavesAloneWhatIsNotDeclared: Rule = (of) =>
  [...of.before.values()].flatMap((before) => {
    const after = of.after.get(before.id);
    if (after === undefined || before.isArchived || after.isArchived) return [];
    const declared = declaredOf(of, before.id);
    const paths = new Set([...settingPaths, ...keysOf(before), ...keysOf(after)]);
    return [...paths].flatMap((path) => {
      const [was, is] = [rawAt(before, path), rawAt(after, path)];
      if (declared.has(path) || was === is || (was === undefined && filledIn.includes(path))) return [];
      if (of.warnings.some((warning) => warning.includes(path) && /may destroy it/.test(warning))) return [];
      // such a platform removes what it receives as null, even if it sent the null itself
      if (was !== undefined && isMergePatched(of, path) && isWithoutNulls(was, is)) return [];
      // such a platform rounds received numbers, even numbers that it sent itself
      const isRounded =
        of.variants.numbers === "rounded" && was !== undefined && JSON.stringify(JSON.parse(was)) === is;
      if (isRounded) return [];
      return [`${nameOf(before)}: ${path} is not declared, was ${was}, and is ${is}`];
    });
  });

/** After a success, the platform matches the declaration. */
export const successIsTrue: Rule = (of) => {
  if (!of.succeeds || of.command.kind !== "up" || of.command.target !== undefined) return [];
  return [...of.model.slots].flatMap(([place, { settings }]) => {
    const id = of.heldAfter.find((holder) => holder.place === place)?.id;
    const tenant = id === undefined ? undefined : of.after.get(id);
    if (tenant === undefined) return [`${place} is declared, and the state does not have it`];
    // a mask that somebody wrote by hand counts as one of the platform's
    const isExempt = (path: string) => of.drifted.get(tenant.id)?.has(path) === true || rawAt(tenant, path) === '"***"';
    if (tenant.isArchived)
      return isExempt("archived") ? [] : [`${place} is declared, and ${nameOf(tenant)} is archived`];
    if (tenant.integrationId !== of.integrationIds[settings.integration])
      return [`${place}: ${nameOf(tenant)} is of another integration`];
    const wrong = wantedOf(of, settings).filter(
      ({ path, json }) =>
        !isExempt(path) && !isNotSeen(of, path, json, tenant) && !isSame(path, json, rawAt(tenant, path)),
    );
    // settings that another resource declared stay, because a take-over does not change undeclared settings
    const holders = of.heldBefore.filter((holder) => holder.id === tenant.id);
    // a replacement takes over what its retained predecessor has left
    const isReplaced = of.command.replace?.includes(resourceOf(place)) === true;
    const hadIt =
      !isReplaced && holders.length > 0 && holders.every((holder) => placeNow(of.model, holder.place) === place);
    const left = [...(hadIt ? (of.touched.get(tenant.id) ?? []) : [])].filter(
      (path) => /^(configs|metadata)\./.test(path) && !declaredOf({ ...of, touched: new Map() }, tenant.id).has(path),
    );
    const tellsThatItStays = of.warnings.some((warning) =>
      /cannot be verified|stays, because|is not removed/.test(warning),
    );
    return [
      ...wrong.map(
        ({ path, json }) =>
          `${place}: ${path} is declared as ${json}, and ${nameOf(tenant)} has ${rawAt(tenant, path)}`,
      ),
      ...left
        .filter(
          (path) => !isRemoved(of, path, tenant) && !isExempt(path) && !filledIn.includes(path) && !tellsThatItStays,
        )
        .map((path) => `${place}: ${path} is declared no longer, and ${nameOf(tenant)} still has it`),
    ];
  });
};

/**
 * Whether reads do not show that a value differs from the declaration: the platform does not send schedules, nulls or defaults, it
 * shows the release that a channel selects and not the channel, or the nulls that a merge patch removed are still in its reads.
 */
function isNotSeen(of: Case, path: string, json: string, tenant: RawTenant): boolean {
  const { variants } = of;
  if (variants.visibility === "lagging" && isMergePatched(of, path) && isWithoutNulls(json, rawAt(tenant, path)))
    return true;
  const isNull = rawAt(tenant, path) === "null";
  if (path === "user_schedule") {
    if (variants.absentField === path) return true;
    return isNull && variants.defaults === "absent";
  }
  return isNull && path === "integration_release_id" && variants.absentField === "integration_release_channel";
}

/** Whether a value is what a merge patch with another one leaves of it. */
function isWithoutNulls(sent: string, is: string | undefined): boolean {
  return isDeepStrictEqual(withoutNulls(sent), is && JSON.parse(is));
}

/** What a merge patch with a value leaves of it; `undefined` if nothing. */
function withoutNulls(json: string): unknown {
  const isList = Array.isArray;
  const kept = JSON.parse(json, function (this: unknown, _, value) {
    return value === null && !isList(this) ? undefined : value;
  });
  return kept ?? undefined;
}

/** Whether a key is gone, or null where a PATCH can remove no key. */
function isRemoved(of: Case, path: string, tenant: RawTenant): boolean {
  const raw = rawAt(tenant, path);
  return raw === undefined || (raw === "null" && wayOf(of, path) === "merge");
}

/** Whether a PATCH with null removes the key at a path. */
function isMergePatched(of: Case, path: string): boolean {
  return wayOf(of, path) === "merge-patch";
}

/** How a PATCH changes the object of a path; `undefined` for a setting without keys. */
function wayOf({ variants }: Case, path: string): string | undefined {
  const [part] = path.split(".");
  return part === "configs" || part === "metadata" ? variants[part] : undefined;
}

function keysOf({ configs, metadata }: RawTenant): string[] {
  return [
    ...Object.keys(configs).map((key) => `configs.${key}`),
    ...Object.keys(metadata).map((key) => `metadata.${key}`),
  ];
}

/** The paths of a tenant that the stack may write: declared ones, and formerly declared ones to remove. */
function declaredOf(
  of: Pick<Case, "touched" | "heldBefore" | "heldAfter" | "model" | "stateAfter">,
  id: number,
): Set<string> {
  const holders = [...of.heldBefore, ...of.heldAfter].filter((holder) => holder.id === id);
  const slots = holders.flatMap(({ place }) => slotNow(of.model, place) ?? []);
  const metadata = metadataKeysIn(of.stateAfter)
    .filter((of) => of.id === id)
    .flatMap(({ keys }) => keys);
  return new Set([
    ...(of.touched.get(id) ?? []),
    ...slots.flatMap(({ settings }) => declaredPaths(settings)),
    ...metadata.map((key) => `metadata.${key}`),
  ]);
}

function wantedOf(of: Case, settings: Settings): { path: string; json: string }[] {
  const { configs = {}, metadata = {} } = settings;
  const keys = (part: string, object: object) =>
    Object.entries(withoutMarks({ ...object })).map(([key, value]) => ({
      path: `${part}.${key}`,
      json: JSON.stringify(value),
    }));
  return [
    { path: "name", json: JSON.stringify(settings.name) },
    ...(settings.paused === undefined ? [] : [{ path: "paused", json: String(settings.paused) }]),
    ...(settings.schedule === undefined
      ? []
      : [{ path: "user_schedule", json: settings.schedule === "none" ? "null" : JSON.stringify(settings.schedule) }]),
    ...releaseOf(of, Object(settings.release ?? {}), of.integrationIds[settings.integration]),
    ...keys("configs", configs),
    ...keys("metadata", metadata),
  ];
}

/** The ids of the second integration's releases are the first one's plus ten. */
function releaseOf({ stateAfter }: Case, { id, tag, channel }: Record<string, unknown>, integrationId: number) {
  if (channel !== undefined) return [{ path: "integration_release_channel", json: JSON.stringify(channel) }];
  const wanted = isReference(id)
    ? stateAfter.get(id.$of)?.outputs[id.property ?? ""]
    : (id ?? releaseIds.get(`${integrationId} ${tag}`));
  return wanted === undefined ? [] : [{ path: "integration_release_id", json: String(wanted) }];
}

const releaseIds = new Map([
  ["1 v1", 11],
  ["1 v2", 12],
  ["2 v1", 21],
  ["2 v2", 22],
]);

function isSame(path: string, wanted: string, found: string | undefined): boolean {
  if (found === undefined) return false;
  const [left, right] = [JSON.parse(wanted), JSON.parse(found)];
  if (path === "user_schedule") return scheduleOf(left) === scheduleOf(right);
  return isDeepStrictEqual(left, right);
}

/** An empty schedule is none: docs/decisions/connected-or-not.md, "Other absent fields". */
function scheduleOf(raw: string | null): string | null {
  return raw?.trim().replaceAll(/\s+/g, " ") || null;
}
