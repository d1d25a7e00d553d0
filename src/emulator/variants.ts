import { z } from "zod";

/**
 * What the specification leaves open. Each variant is one open question, each value one answer a real platform may
 * give; the first is the emulator's default. Code written against the API should work with every one of them.
 *
 * | variant | values | the question |
 * |---|---|---|
 * | `configs` | `replace` `merge` `merge-patch` | what PATCH of a tenant does with `configs`: takes the place of the old, merged shallowly (null stays a value), merged by RFC 7396 (null removes) |
 * | `metadata` | `merge` `replace` `merge-patch` | the same for PATCH of metadata |
 * | `patchAnswer` | `object` `nothing` `empty` | what PATCH of a tenant, and disconnecting a connector, answers: the tenant (the connector's status), `{}`, a 200 without a body |
 * | `limitOver500` | `refuse` `clamp` | `limit=501`: 422, or taken as 500 |
 * | `unauthorized` | `403` `401` | the status of a missing or wrong key |
 * | `maskedConfigs` | `no` `yes` `tail` `marker` `digest` `left-out` | how `format: password` and `writeOnly` values of configs and metadata come back: as they are; as `***`; as `****` and the last four characters; as `(hidden)`; as a digest; not at all |
 * | `numbers` | `kept` `rounded` | whether numbers in configs and metadata are kept as they were written, or as doubles |
 * | `archivedList` | `alone` `along` | `archived=true` lists the archived alone, or along with the live ones |
 * | `sorting` | `accept` `refuse` `ignore` | whether `sort_by` works, any `sort_by` is 422, or it is accepted and lists come last modified first all the same |
 * | `pageSize` | `asked` `capped` | whether a page has as many records as asked for, or 37 at most, whatever `limit` says |
 * | `releaseAndChannel` | `accept` `refuse` | whether one PATCH may carry both `integration_release_id` and `integration_release_channel` (one of them null), or that is 422 |
 * | `metadataWhenNone` | `empty` `missing` | metadata never written: `{}` or 404 |
 * | `nulls` | `present` `absent` | whether null fields are in responses |
 * | `visibility` | `immediate` `delayed` `lagging` | whether a write shows in reads at once, after 300 ms, or after `lagSeconds` (6 unless set otherwise) |
 * | `names` | `free` `unique` | whether two live tenants of an integration may have one name, or that is 422 |
 * | `schemaDefaults` | `fill` `leave` | whether the platform fills in the defaults of a release's schemas |
 * | `builds` | `quick` `slow` `never` `twice` | when a build becomes a release: after 2 s, after 60 s, never, after 2 s two of one tag |
 * | `buildAnswer` | `object` `nothing` | what a build request answers: the build, `{}` |
 * | `statusWords` | `plain` `capitalized` `queue` `mixed` | the words for where a run stands: pending running succeeded failed; the same with capitals; queued in_progress success failure; ACCEPTED hydrating Done FAILED |
 * | `unconnectedSync` | `refuse` `missing` `fail-run` `accept` | a sync of an unconnected tenant: 422; 404; accepted, and its run fails at once; accepted like any other |
 * | `pausedSync` | `accept` `refuse` | whether a paused tenant is synced on request, or that is 422 |
 * | `defaults` | `present` `absent` | whether fields that hold null, or the default of the specification, are in responses |
 * | `nullStrings` | `null` `empty` | whether strings that are null come as null, or as `""` |
 * | `absentField` | `none` `archived` `integration_id` `dates` `user_schedule` `schedule` `integration_release_id` `integration_release_channel` `release` `status` `auth` `connected` `last_change` | which field of tenants is in no response, whatever it holds: those that the specification does not require and gives no default (`dates`: both; `release`: id and channel), and those of `status` that tell of the connection |
 * | `connectionWords` | `plain` `capitalized` `linked` `terse` | the words for the status of a connector: connected disconnected; Connected Not-Connected; linked unlinked; OK NONE |
 * | `authConnectors` | `listed` `none` | whether `status.auth.connectors` lists the connectors of the tenant's own, or is `[]` |
 * | `refusals` | `plain` `repeat` `repeat-json` `repeat-url` | whether a 422 repeats what was sent: not; each value as it is; the body as JSON; each value encoded for a URL |
 */
const values = {
  configs: ["replace", "merge", "merge-patch"],
  metadata: ["merge", "replace", "merge-patch"],
  patchAnswer: ["object", "nothing", "empty"],
  limitOver500: ["refuse", "clamp"],
  unauthorized: ["403", "401"],
  maskedConfigs: ["no", "yes", "tail", "marker", "digest", "left-out"],
  numbers: ["kept", "rounded"],
  archivedList: ["alone", "along"],
  sorting: ["accept", "refuse", "ignore"],
  pageSize: ["asked", "capped"],
  releaseAndChannel: ["accept", "refuse"],
  metadataWhenNone: ["empty", "missing"],
  nulls: ["present", "absent"],
  visibility: ["immediate", "delayed", "lagging"],
  names: ["free", "unique"],
  schemaDefaults: ["fill", "leave"],
  builds: ["quick", "slow", "never", "twice"],
  buildAnswer: ["object", "nothing"],
  statusWords: ["plain", "capitalized", "queue", "mixed"],
  unconnectedSync: ["refuse", "missing", "fail-run", "accept"],
  pausedSync: ["accept", "refuse"],
  defaults: ["present", "absent"],
  nullStrings: ["null", "empty"],
  absentField: [
    ...["none", "archived", "integration_id", "dates", "user_schedule", "schedule", "integration_release_id"],
    ...["integration_release_channel", "release", "status", "auth", "connected", "last_change"],
  ],
  connectionWords: ["plain", "capitalized", "linked", "terse"],
  authConnectors: ["listed", "none"],
  refusals: ["plain", "repeat", "repeat-json", "repeat-url"],
} as const;

/** One value of every variant. */
export const variantsSchema = z.strictObject({
  configs: z.enum(values.configs),
  metadata: z.enum(values.metadata),
  patchAnswer: z.enum(values.patchAnswer),
  limitOver500: z.enum(values.limitOver500),
  unauthorized: z.enum(values.unauthorized),
  maskedConfigs: z.enum(values.maskedConfigs),
  numbers: z.enum(values.numbers),
  archivedList: z.enum(values.archivedList),
  sorting: z.enum(values.sorting),
  pageSize: z.enum(values.pageSize),
  releaseAndChannel: z.enum(values.releaseAndChannel),
  metadataWhenNone: z.enum(values.metadataWhenNone),
  nulls: z.enum(values.nulls),
  visibility: z.enum(values.visibility),
  names: z.enum(values.names),
  schemaDefaults: z.enum(values.schemaDefaults),
  builds: z.enum(values.builds),
  buildAnswer: z.enum(values.buildAnswer),
  statusWords: z.enum(values.statusWords),
  unconnectedSync: z.enum(values.unconnectedSync),
  pausedSync: z.enum(values.pausedSync),
  defaults: z.enum(values.defaults),
  nullStrings: z.enum(values.nullStrings),
  absentField: z.enum(values.absentField),
  connectionWords: z.enum(values.connectionWords),
  authConnectors: z.enum(values.authConnectors),
  refusals: z.enum(values.refusals),
});
export type Variants = z.infer<typeof variantsSchema>;

/** The values of each variant, the default first. */
export const variantValues: Readonly<Record<string, readonly string[]>> = values;

/** The first value of every variant. */
export const defaultVariants: Variants = variantsSchema.parse(
  Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first])),
);

/**
 * The variants after a change. What the change does not name, or names as undefined, stays.
 *
 * @throws Error that names the unknown variant or value and lists what there is.
 */
export function changeVariants(current: Variants, change: unknown): Variants {
  const parsed = z.record(z.string(), z.unknown()).safeParse(change);
  if (!parsed.success) throw new Error("variants must be an object of names and values");

  for (const [name, value] of Object.entries(parsed.data)) {
    if (value !== undefined) requireKnown(name, value);
  }
  const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  return variantsSchema.parse({ ...current, ...Object.fromEntries(given) });
}

/** One line per variant with its values, for messages and `--help`. */
export function listVariants(): string {
  return Object.entries(variantValues)
    .map(([name, options]) => `  ${name}: ${options.join(" | ")}`)
    .join("\n");
}

function requireKnown(name: string, value: unknown): void {
  const options = Object.hasOwn(variantValues, name) ? variantValues[name] : undefined;
  if (!options) throw new Error(`there is no variant "${name}"; there are:\n${listVariants()}`);
  if (typeof value === "string" && options.includes(value)) return;
  throw new Error(`variant "${name}" cannot be ${JSON.stringify(value)}; it can be: ${options.join(", ")}`);
}
