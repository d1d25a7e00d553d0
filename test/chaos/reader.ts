import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { z } from "zod";

/** A difference between the platform and the stack's files. */
export interface Difference {
  /** Name of the tenant. */
  readonly tenant: string;
  /** `duplicate`, `lost`, `archived`, `archived unasked`, `undeclared`, or the path of a setting. */
  readonly what: string;
  readonly declared?: unknown;
  readonly live?: unknown;
}

export interface ReaderSources {
  readonly directory: string;
  readonly stack: string;
  /** Sends a request to the platform. */
  readonly get: (path: string) => Promise<unknown>;
  /** The secrets by what stands for them in the stack's file: a cipher, or a reference. */
  readonly plain: ReadonlyMap<string, string>;
  /** The prefix of our tenants' names. */
  readonly prefix: string;
  /** Whether a tenant of ours may be archived, because it was removed from the files or somebody else archived it. */
  readonly mayBeArchived: (tenant: { readonly id: number; readonly name: string }) => boolean;
  /** The settings whose removal from the files removes them from the platform. */
  readonly removed: readonly Removed[];
}

/** A key of configs or metadata that is no longer declared. */
export interface Removed {
  readonly tenant: string;
  readonly part: "configs" | "metadata";
  readonly key: string;
  readonly value: unknown;
}

const settings = z.record(z.string(), z.unknown()).nullish();
const release = z.object({ id: z.int(), tag: z.string(), channel: z.string(), build: z.string() }).partial().optional();
const wantedSchema = z.looseObject({
  name: z.string().optional(),
  integration: z.union([z.string(), z.int()]).optional(),
  configs: settings,
  metadata: settings,
  paused: z.boolean().optional(),
  schedule: z.string().optional(),
  release,
});
type Wanted = z.infer<typeof wantedSchema> & { readonly name: string; readonly tagOfBuild: string };
const overrideSchema = z.looseObject({ tenants: z.array(z.string()).optional() });
const listedSchema = z.array(z.looseObject({ id: z.int(), name: z.string(), archived: z.boolean().nullish() }));
const integrationsSchema = z.array(z.looseObject({ id: z.int(), name: z.string() }));
const releasesSchema = z.array(z.looseObject({ id: z.int(), tag: z.string().nullish() }));

/** Compares the platform with the stack's files by plain requests. Shares no code with what it checks. */
export async function differences(sources: ReaderSources): Promise<Difference[]> {
  const { get, prefix } = sources;
  const declared = await readDeclared(sources);
  const all = [...(await list(get, false)), ...(await list(get, true))];
  const ours = new Map(all.filter(({ name }) => name.startsWith(prefix)).map((tenant) => [tenant.id, tenant]));
  const live = [...ours.values()].filter(({ archived }) => archived !== true);
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = live.filter(({ name }) => !names.has(name));
  const unasked = [...ours.values()].filter((tenant) => tenant.archived === true && !sources.mayBeArchived(tenant));
  const integrations = integrationsSchema.parse(await get("/v2/integrations?limit=500"));
  const found: Difference[] = [
    ...undeclared.map(({ name }) => ({ tenant: name, what: "undeclared" })),
    ...unasked.map(({ id, name }) => ({ tenant: name, what: "archived unasked", live: id })),
  ];
  for (const wanted of declared) {
    const { name } = wanted;
    const [tenant, ...others] = live.filter((candidate) => candidate.name === name);
    const wasArchived = [...ours.values()].some((candidate) => candidate.name === name);
    if (others.length > 0) found.push({ tenant: name, what: "duplicate", live: others.length + 1 });
    else if (tenant === undefined) found.push({ tenant: name, what: wasArchived ? "archived" : "lost" });
    else found.push(...(await settingsThatDiffer(wanted, tenant.id, integrations, sources)));
  }
  return found;
}

async function settingsThatDiffer(
  wanted: Wanted,
  id: number,
  integrations: z.infer<typeof integrationsSchema>,
  { get, removed }: Pick<ReaderSources, "get" | "removed">,
): Promise<Difference[]> {
  const live = Object(await get(`/_emulator/tenants/${id}`)); // unmasked
  const integration = integrations.find((one) => one.id === wanted.integration || one.name === wanted.integration);
  const pairs: [string, unknown, unknown][] = [["integration", integration?.id, live.integration_id]];
  for (const part of ["configs", "metadata"] as const) {
    for (const [key, value] of Object.entries(wanted[part] ?? {}))
      pairs.push([`${part}.${key}`, value, live[part]?.[key]]);
  }
  if (wanted.paused !== undefined) pairs.push(["paused", wanted.paused, live.paused]);
  const { schedule } = wanted;
  if (schedule !== undefined) pairs.push(["schedule", schedule === "none" ? null : schedule, live.user_schedule]);
  if (wanted.release?.channel !== undefined) {
    pairs.push(["release", wanted.release.channel, live.integration_release_channel]);
  } else if (wanted.release !== undefined) {
    const { id: releaseId, tag = wanted.tagOfBuild } = wanted.release;
    const releases = releasesSchema.parse(await get(`/v2/integrations/${integration?.id}/releases`));
    const ids = releases.filter((candidate) => candidate.tag === tag).map((candidate) => candidate.id);
    pairs.push(["release", releaseId ?? Math.min(...ids), live.integration_release_id]); // of two releases with the same tag, the older
  }
  const differing = pairs
    .filter(([, is, found]) => !isDeepStrictEqual(is, found))
    .map(([what, is, found]) => ({ tenant: wanted.name, what, declared: is, live: found }));
  // a default may replace it
  const stillThere = removed
    .filter(({ tenant, part, key, value }) => tenant === wanted.name && isDeepStrictEqual(live[part]?.[key], value))
    .map(({ part, key, value }) => ({ tenant: wanted.name, what: `${part}.${key}, which was removed`, live: value }));
  return [...differing, ...stillThere];
}

async function readDeclared({ directory, stack, plain }: ReaderSources): Promise<Wanted[]> {
  const { config } = parse(await readFile(join(directory, `Pulumi.${stack}.yaml`), "utf8"));
  const of = (key: string) => Object(config[`integration-platform:${key}`] ?? {});
  const complete = (key: string, defaults: unknown, own: unknown, overrides: readonly unknown[]): Wanted => {
    const entry = wantedSchema.parse(decrypt(merge(defaults, own), plain));
    const name = entry.name ?? key;
    const isPaused = overrides.some((override) => isNamed(override, [key, name]));
    return { ...entry, name, ...(isPaused ? { paused: true } : {}), tagOfBuild: String(of("builds").nightly?.tag) };
  };
  const ofStack = [config["integration-platform:overrides"] ?? []].flat();
  const wanted = Object.entries(of("tenants")).map(([key, own]) => complete(key, of("tenantDefaults"), own, ofStack));
  for (const fleet of Object.values(of("fleets")).map(Object)) {
    const { integration, defaults, tenantsFrom, tenants, rollout, overrides = [] } = fleet;
    const inFile = tenantsFrom === undefined ? {} : parse(await readFile(join(directory, tenantsFrom), "utf8"));
    // a rollout takes the tenants to the release of the defaults, and no single up does
    const { release: _, ...others } = Object(defaults);
    const under = merge({ integration }, rollout === undefined ? defaults : others);
    const all = [...ofStack, ...[overrides].flat()];
    const entries = Object.entries(Object(merge(inFile, tenants)));
    wanted.push(...entries.map(([key, own]) => complete(key, under, own, all)));
  }
  return wanted;
}

/** Whether an override is one of a tenant. Without a list of tenants, it is one of all. */
function isNamed(override: unknown, keyAndName: readonly string[]): boolean {
  const { tenants } = overrideSchema.parse(override);
  return tenants === undefined || keyAndName.some((name) => tenants.includes(name));
}

/** Merges the second settings over the first. Releases are replaced, not merged. */
function merge(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(under) || !isObject(over)) return over;
  const below = Object(under);
  const merged = Object.entries(Object(over)).map(([key, value]) => [
    key,
    key === "release" ? value : merge(below[key], value),
  ]);
  return { ...below, ...Object.fromEntries(merged) };
}

function decrypt(value: unknown, plain: ReadonlyMap<string, string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("secure" in value) return plain.get(String(value.secure));
  if ("ref" in value) return plain.get(String(value.ref));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decrypt(item, plain)]));
}

async function list(get: ReaderSources["get"], archived: boolean): Promise<z.infer<typeof listedSchema>> {
  const found: z.infer<typeof listedSchema> = [];
  for (;;) {
    const skip = found.length;
    const page = listedSchema.parse(await get(`/v2/tenants?limit=500&skip=${skip}&archived=${archived}`));
    found.push(...page);
    if (page.length === 0) return found; // a short page proves nothing
  }
}
