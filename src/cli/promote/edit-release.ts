import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, parseDocument, type Scalar, type YAMLMap } from "yaml";
import { namespace } from "../../stack/config/config-values.ts";
import { renderName, UneditableError } from "../stack-overrides/override-yaml.ts";

/** What a stack's file is to declare. */
export interface WantedRelease {
  /** The integration, as a file names it: its name or its id. */
  isIntegration(declared: unknown): boolean;
  tag: string;
  /** The id of the release in the stack's own environment. */
  id: number;
}

/** A declaration of a release that was changed, or that stays. */
export interface DeclaredRelease {
  /** For example `tenantDefaults.release.tag` or `builds.crm.tag`. */
  path: string;
  /** The tag or the id that it has, or the channel. */
  declared: string;
}

export interface EditedRelease {
  text: string;
  changed: DeclaredRelease[];
  /** Those that stay: tenants with a release of their own, channels, and what this does not understand. */
  left: (DeclaredRelease & { why: "pinned" | "channel" | "shared by integrations" })[];
  /** Whether the file declares tenants, fleets or builds of the integration at all. */
  isDeclaredHere: boolean;
}

/**
 * Changes the release that a stack's file declares for an integration, where it is declared for several tenants: in the defaults,
 * groups, fleets and builds. If no such place declares one, in the tenants. All other text stays as it is.
 *
 * @throws UneditableError if the file has a layout that this does not understand.
 */
export function editRelease(text: string, wanted: WantedRelease): EditedRelease {
  const document = parseDocument(text, { merge: true, prettyErrors: false });
  if (document.errors.length > 0) throw new UneditableError("it is invalid YAML");
  const { found, isDeclaredHere } = declarationsIn(document, wanted);
  const isShared = found.some(({ isOfOne, value }) => !isOfOne && value !== undefined);
  const edits = new Map<number, { start: number; end: number; path: string[]; declared: string; now: string }>();
  const left: EditedRelease["left"] = [];
  for (const { path, value, way, isOfOne, isAmbiguous } of found) {
    const declared = String(value?.value ?? way);
    const shown = { path: path.join("."), declared };
    if (isAmbiguous) left.push({ ...shown, why: "shared by integrations" });
    else if (value === undefined) left.push({ ...shown, why: "channel" });
    else if (isOfOne && isShared) left.push({ ...shown, why: "pinned" });
    else if (value.value !== (way === "id" ? wanted.id : wanted.tag)) {
      const [start, end] = value.range ?? [];
      if (start === undefined || end === undefined) throw new UneditableError("its layout is unusual");
      const now = way === "id" ? String(wanted.id) : renderTag(wanted.tag);
      edits.set(start, { start, end, path, declared, now });
    }
  }
  const inOrder = [...edits.values()].sort((one, other) => other.start - one.start);
  const edited = inOrder.reduce((all, { start, end, now }) => all.slice(0, start) + now + all.slice(end), text);
  requireOnlyIntended(document, edited, inOrder.length);
  const changed = inOrder.toReversed().map(({ path, declared }) => ({ path: path.join("."), declared }));
  return { text: edited, changed, left, isDeclaredHere };
}

/** Sets a key of a stack's config, as a program reads it, to the tag. The key must be there. */
export function setConfigKey(text: string, key: string, tag: string): EditedRelease {
  const document = parseDocument(text, { merge: true, prettyErrors: false });
  const node = document.getIn(["config", key], true);
  const [start, end] = isScalar(node) ? (node.range ?? []) : [];
  if (document.errors.length > 0 || !isScalar(node) || start === undefined || end === undefined) {
    throw new UneditableError(`its config has no key ${key} with a string`);
  }
  const declared = String(node.value);
  const edited = text.slice(0, start) + renderTag(tag) + text.slice(end);
  const changed = declared === tag ? [] : [{ path: key, declared }];
  return { text: changed.length === 0 ? text : edited, changed, left: [], isDeclaredHere: true };
}

/** A tag as YAML: a version such as `v1.5.0` needs no quotes. */
function renderTag(tag: string): string {
  return /^v\d[\w.-]*$/.test(tag) ? tag : renderName(tag);
}

interface Found {
  path: string[];
  /** The scalar of the tag or the id; `undefined` for a channel. */
  value: Scalar<unknown> | undefined;
  /** `tag` or `id`; the channel itself. */
  way: string;
  /** Whether it is the release of one tenant. */
  isOfOne: boolean;
  isAmbiguous?: boolean;
}

type Node = YAMLMap<unknown, unknown>;

/** All declarations of a release for the integration, in the order of the file's documentation. */
function declarationsIn(document: Document, { isIntegration }: WantedRelease) {
  const part = (name: string) => mapIn(document.getIn(["config", `${namespace}:${name}`], true));
  const defaults = part("tenantDefaults");
  const groups = entriesOf(part("groups"));
  const all = entriesOf(part("tenants"));
  const integrationOf = (tenant: Node) => {
    const ofGroups = groups.filter(([name]) => isMember(tenant, name)).map(([, group]) => group.get("integration"));
    return [tenant.get("integration"), ...ofGroups, defaults?.get("integration")].find((one) => one !== undefined);
  };
  const tenants = all.filter(([, tenant]) => isIntegration(integrationOf(tenant)));
  const shared = (path: string[], owner: Node | undefined, users: typeof tenants) => {
    const ours = users.filter((user) => tenants.includes(user)).length;
    return ours === 0 ? [] : releaseOf(path, owner, { isOfOne: false, isAmbiguous: ours < users.length });
  };
  const withoutOwn = all.filter(([, tenant]) => tenant.get("release") === undefined);
  const fleets = entriesOf(part("fleets")).filter(([, fleet]) => isIntegration(fleet.get("integration")));
  const builds = entriesOf(part("builds")).filter(([, build]) => isIntegration(build.get("integration")));
  const found: Found[] = [
    ...shared(["tenantDefaults"], defaults, withoutOwn),
    ...groups.flatMap(([name, group]) => {
      const members = withoutOwn.filter(([, tenant]) => isMember(tenant, name));
      return shared(["groups", name], group, members);
    }),
    ...tenants.flatMap(([name, tenant]) => releaseOf(["tenants", name], tenant, { isOfOne: true })),
    ...fleets.flatMap(([name, fleet]) => {
      const [ofFleet, entries] = [["fleets", name], (key: string) => entriesOf(mapIn(fleet.get(key, true)))];
      return [
        ...releaseOf([...ofFleet, "defaults"], mapIn(fleet.get("defaults", true)), { isOfOne: false }),
        ...entries("groups").flatMap(([key, group]) =>
          releaseOf([...ofFleet, "groups", key], group, { isOfOne: false }),
        ),
        ...entries("tenants").flatMap(([key, one]) => releaseOf([...ofFleet, "tenants", key], one, { isOfOne: true })),
      ];
    }),
    ...builds.flatMap(([name, build]): Found[] => {
      const value = build.get("tag", true);
      return isScalar(value) ? [{ path: ["builds", name, "tag"], value, way: "tag", isOfOne: false }] : [];
    }),
  ];
  return { found, isDeclaredHere: tenants.length + fleets.length + builds.length > 0 };
}

/** The release that a part of the file declares; none if it declares a build, whose tag is found among the builds. */
function releaseOf(path: string[], owner: Node | undefined, more: Pick<Found, "isOfOne" | "isAmbiguous">): Found[] {
  const release = mapIn(owner?.get("release", true));
  return ["tag", "id", "channel"].flatMap((way): Found[] => {
    const value = release?.get(way, true);
    if (!isScalar(value)) return [];
    if (way === "channel") return [{ path: [...path, "release"], value: undefined, way: String(value.value), ...more }];
    return [{ path: [...path, "release", way], value, way, ...more }];
  });
}

function isMember(tenant: Node, group: string): boolean {
  const { groups = [] }: { groups?: unknown } = Object(tenant.toJSON());
  return [groups].flat().includes(group);
}

function entriesOf(map: Node | undefined): [string, Node][] {
  return (map?.items ?? []).flatMap(({ key, value }): [string, Node][] => {
    const entry = mapIn(value);
    return isScalar(key) && entry !== undefined ? [[String(key.value), entry]] : [];
  });
}

function mapIn(node: unknown): Node | undefined {
  return isMap(node) ? node : undefined;
}

/** @throws UneditableError if anything but the declared releases has changed, such as another use of an anchor. */
function requireOnlyIntended(before: Document, text: string, count: number): void {
  const after = parseDocument(text, { merge: true, prettyErrors: false });
  const differences = after.errors.length > 0 ? Number.NaN : differing(before.toJS(), after.toJS());
  if (differences !== count)
    throw new UneditableError("a release in it is used at several places, or its layout is unusual");
}

function differing(one: unknown, other: unknown): number {
  if (isDeepStrictEqual(one, other)) return 0;
  const [left, right]: [Record<string, unknown>, Record<string, unknown>] = [Object(one), Object(other)];
  const keys = Object.keys(left);
  const haveParts = typeof one === "object" && typeof other === "object" && isDeepStrictEqual(keys, Object.keys(right));
  return haveParts ? keys.reduce((sum, key) => sum + differing(left[key], right[key]), 0) : 1;
}
