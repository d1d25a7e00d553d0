import { secretPathsSchema } from "../../inputs/input-schema.ts";
import { formatPath, valueAt } from "../../json/key-path.ts";
import { oneLine } from "../../json/one-line.ts";
import { isUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { DeclaredOverride } from "../../settings/override.ts";
import { isSecretName } from "../../settings/secret-detection.ts";
import { type ChangedValue, changedValues, type KnownSecrets } from "./changed-values.ts";
import { describeCount } from "./describe-many.ts";
import { describeFleet, entryAt } from "./entry.ts";
import type { PreviewedFleet } from "./members.ts";
import type { TenantFleetState } from "./schema.ts";

/** A fleet and the tenants in it that an update changes. */
interface ChangedFleet {
  name: string;
  /** The state after `withNewKeys`, with the tenants under their new keys. */
  state: TenantFleetState;
  declared: PreviewedFleet;
  /** The keys of the tenants to change. */
  keys: readonly string[];
}

/** The most lines of a note. */
const linesMaximum = 20;
const charactersMaximum = 60;

/**
 * Tells the user what an update changes, before the engine lists it tenant by tenant: equal changes are one line, such as
 * `212 tenants: configs.batch_size 200 -> 1000`. Those of most tenants come first.
 */
export function noteChanges({ note, client }: Pick<OperationContext, "note" | "client">, fleet: ChangedFleet): void {
  const groups = groupsOf(fleet, client.mayHoldSecret);
  if (groups.length === 0) return;
  const lines = groups.slice(0, linesMaximum).map(describeGroup);
  const rest = groups.slice(linesMaximum);
  const tenants = new Set(rest.flatMap(({ keys }) => keys)).size;
  const more = rest.length === 0 ? [] : [`and ${rest.length} more changes of ${describeCount(tenants)}`];
  const [only = "", ...others] = [...lines, ...more];
  note(
    `${describeFleet(fleet)}: ${others.length === 0 ? only : ["these values change:", only, ...others].join("\n  ")}`,
  );
}

interface Group {
  change: ChangedValue;
  keys: string[];
}

function groupsOf({ state, declared, keys }: ChangedFleet, mayHoldSecret: KnownSecrets["mayHoldSecret"]): Group[] {
  const secretPathsOf = secretPathsByTenant(state, declared);
  const isKnownSecretName = remembered(isSecretName); // thousands of tenants have the same keys
  const groups = new Map<string, Group>();
  for (const key of keys) {
    const [before, after] = [entryAt(state.tenants, key), entryAt(declared.tenants, key)];
    if (before === undefined || after === undefined || isUnknown(after)) continue;
    const secrets = {
      declared: secretPathsOf(key),
      hidden: before.unreadablePaths ?? [],
      isSecretName: isKnownSecretName,
      mayHoldSecret,
    };
    const changes = changedValues({ name: key, ...before }, { name: key, ...after }, secrets);
    const override = {
      before: before.override,
      after: valueAt(after, ["override"]) ?? valueAt(declared, ["override"]),
    };
    for (const change of [...changes, ...changedOverride(override)]) {
      const id = JSON.stringify([change.path, change.before ?? null, change.after]);
      const group = groups.get(id) ?? { change, keys: [] };
      group.keys.push(key);
      groups.set(id, group);
    }
  }
  return [...groups.values()].sort((left, right) => right.keys.length - left.keys.length);
}

/** That an overridden tenant runs. Another note says whom an override pauses, and what becomes of them when it ends. */
function changedOverride(override: { before: DeclaredOverride | undefined; after: unknown }): ChangedValue[] {
  const isResumed = override.before?.paused === false && override.after !== undefined;
  return isResumed ? [{ path: ["override", "paused"], before: "false", after: "true" }] : [];
}

/** Where secrets are declared, or were: in the fleet's own list of paths, and in that of each entry. */
function secretPathsByTenant(state: TenantFleetState, declared: PreviewedFleet) {
  const own = [state, declared].flatMap(secretPathsIn).filter(([first]) => first === "tenants");
  const ofAll = own.filter(([, key]) => key === undefined).map(() => []);
  // a path may still have the key from before a rename
  const ofUnknownKeys = own.filter(([, key]) => key !== undefined && !Object.hasOwn(declared.tenants, key));
  const byKey = Map.groupBy(own, ([, key]) => key);
  const insideTenant = ([, , ...path]: readonly string[]) => path;
  return (key: string) => [
    ...ofAll,
    ...[...ofUnknownKeys, ...(byKey.get(key) ?? [])].map(insideTenant),
    ...[entryAt(state.tenants, key), entryAt(declared.tenants, key)].flatMap(secretPathsIn),
  ];
}

function secretPathsIn(properties: unknown): string[][] {
  return secretPathsSchema.safeParse(valueAt(properties, ["secretPaths"])).data ?? [];
}

function remembered(find: (key: string) => boolean): (key: string) => boolean {
  const known = new Map<string, boolean>();
  return (key) => {
    const found = known.get(key) ?? find(key);
    known.set(key, found);
    return found;
  };
}

function describeGroup({ change: { path, before, after }, keys }: Group): string {
  const [first = ""] = keys;
  const who = keys.length === 1 ? clip(first) : describeCount(keys.length);
  const values = [before, after].flatMap((text) => (text === undefined ? [] : [clip(text)]));
  return `${who}: ${clip(formatPath(path))} ${values.join(" -> ")}`;
}

/** At most 60 characters in one line. A character has at most two UTF-16 code units. */
function clip(text: string): string {
  const characters = [...text.slice(0, 2 * charactersMaximum + 2)];
  const isShort = characters.length <= charactersMaximum;
  return oneLine(isShort ? text : `${characters.slice(0, charactersMaximum - 1).join("")}…`);
}
