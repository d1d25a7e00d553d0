import { z } from "zod";
import type { DescribedIssue } from "../../inputs/describe-issues.ts";
import { didYouMean } from "../../inputs/did-you-mean.ts";
import type { KeyPath } from "../../json/key-path.ts";
import { isUnknown, type Unknown, unknownValue } from "../../json/unknown.ts";
import { calendarProblems } from "./calendar.ts";
import { strategyShape, waveSchema } from "./schema.ts";
import { stragglers, waveName } from "./waves.ts";

/** What is known of a rollout's fleet: the keys of all of its tenants, of those with a release of their own, and of those that are excluded. */
export interface RolloutFleet {
  keys: ReadonlySet<string>;
  pinned: ReadonlySet<string>;
  excluded: ReadonlySet<string>;
  /** The target as `approvals` names it. */
  label?: string;
}

/** A value that is unknown in a preview. So is one of a wrong shape here, which the check of the shape reports. */
function orUnknown<Schema extends z.ZodType>(schema: Schema) {
  return schema.or(z.custom<Unknown>(isUnknown)).catch(unknownValue);
}

const { windows, freeze, timeZone, maxUnavailable, maxFailures, gate } = strategyShape;
const { name, percent, approval } = waveSchema.shape;

const strategyParts = z.object({
  waves: orUnknown(
    z.array(
      orUnknown(
        z.object({
          name: orUnknown(name),
          tenants: orUnknown(z.array(orUnknown(z.string())).optional()),
          percent: orUnknown(percent),
          approval: orUnknown(approval),
        }),
      ),
    ),
  ),
  gate: orUnknown(z.object({ minTenants: orUnknown(gate.unwrap().shape.minTenants) }).optional()),
  maxUnavailable: orUnknown(maxUnavailable),
  maxFailures: orUnknown(maxFailures),
  windows: orUnknown(z.array(orUnknown(windows.unwrap().element)).optional()),
  timeZone: orUnknown(timeZone),
  freeze: orUnknown(z.array(orUnknown(freeze.unwrap().element)).optional()),
  approvals: orUnknown(z.record(z.string(), orUnknown(z.record(z.string(), z.unknown()))).optional()),
});

type StrategyParts = z.infer<typeof strategyParts>;
type WaveParts = Exclude<Exclude<StrategyParts["waves"], Unknown>[number], Unknown>;

/**
 * What is wrong with a rollout's strategy that its shape does not show. Values that are unknown in a preview are skipped, with
 * everything that depends on them.
 *
 * @param fleet absent where a preview does not know it.
 */
export function strategyProblems(strategy: object, fleet?: RolloutFleet): DescribedIssue[] {
  const parts = strategyParts.parse(strategy);
  const waves = isUnknown(parts.waves) ? [] : parts.waves;
  return [
    ...wavesProblems(parts),
    ...waves.flatMap((wave, index) => (isUnknown(wave) ? [] : waveProblems(wave, index))),
    ...percentProblems(waves),
    ...nameProblems(waves),
    ...(fleet === undefined ? [] : tenantProblems(waves, fleet)),
    ...minTenantsProblems(parts),
    ...shareProblems(parts),
    ...(fleet?.label === undefined ? [] : approvalProblems(parts, fleet.label)),
    ...knownCalendarProblems(parts),
  ];
}

/** What is wrong with the tenants that a rollout excludes. */
export function targetProblems(
  { exclude }: { exclude?: unknown },
  { keys, pinned }: Pick<RolloutFleet, "keys" | "pinned">,
): DescribedIssue[] {
  const excluded: readonly unknown[] = Array.isArray(exclude) ? exclude : [];
  return excluded.flatMap((key, index) => {
    if (typeof key !== "string") return [];
    const reason = () => {
      if (!keys.has(key)) return notATenant(key, keys);
      if (excluded.indexOf(key) < index) return "is excluded twice";
      if (pinned.has(key)) return "has a release of its own, so it is not part of the rollout: remove one of the two";
      return undefined;
    };
    return problem(["exclude", index], reason());
  });
}

function wavesProblems({ waves }: StrategyParts): DescribedIssue[] {
  if (isUnknown(waves)) return [];
  if (waves.length === 0) return [{ path: ["waves"], reason: `must have at least one wave; ${lastWave}` }];
  const last = waves.at(-1);
  if (last === undefined || isUnknown(last) || isUnknown(last.percent) || last.percent === 100) return [];
  const path = ["waves", waves.length - 1];
  if (last.percent === undefined) return [{ path, reason: `must be { percent: 100 }: ${lastWave}` }];
  return [{ path: [...path, "percent"], reason: `must be 100: ${lastWave}` }];
}

const lastWave = "the last wave moves all tenants that are left";

function waveProblems({ name, tenants, percent, approval }: WaveParts, index: number): DescribedIssue[] {
  const hasBoth = tenants !== undefined && percent !== undefined;
  const hasNeither = tenants === undefined && percent === undefined;
  const isNameless = approval === "required" && name === undefined;
  return [
    ...problem(["waves", index], hasBoth || hasNeither ? "must have exactly one of tenants and percent" : undefined),
    ...problem(
      ["waves", index, "approval"],
      isNameless ? "needs a name of the wave, by which approvals has its entry" : undefined,
    ),
  ];
}

/** Percentages that go down. A wave between them may have tenants. The last one must be 100 in any case. */
function percentProblems(waves: readonly (WaveParts | Unknown)[]): DescribedIssue[] {
  let highest: { percent: number; index: number } | undefined;
  return waves.flatMap((wave, index) => {
    if (isUnknown(wave) || typeof wave.percent !== "number" || index === waves.length - 1) return [];
    const { percent } = wave;
    const before = highest;
    if (before === undefined || percent > before.percent) highest = { percent, index };
    if (before === undefined || percent >= before.percent) return [];
    const reason = `must not be less than the ${before.percent} of ${describeWave(waves, before.index)}: the percentages count all tenants that have moved`;
    return [{ path: ["waves", index, "percent"], reason }];
  });
}

/** Names that waves share. A wave is known by its name, also by one that it has by default. */
function nameProblems(waves: readonly (WaveParts | Unknown)[]): DescribedIssue[] {
  const own = waves.map((wave) => (isUnknown(wave) || isUnknown(wave.name) ? undefined : wave.name));
  const byDefault = waves.map(defaultName);
  return own.flatMap((name, index) => {
    const reason = () => {
      if ((name ?? byDefault[index]) === stragglers)
        return "is the name of the wave that moves tenants which are behind after the end: choose another";
      if (name === undefined) return undefined;
      const [first, other] = [own.indexOf(name), byDefault.indexOf(name)];
      if (first < index) return `wave ${first + 1} has this name too`;
      return other < 0 ? undefined : `wave ${other + 1} has this name by default`;
    };
    return problem(["waves", index, "name"], reason());
  });
}

/** The name of a wave that has none of its own; `undefined` if it has one, or a preview does not know it. */
function defaultName(wave: WaveParts | Unknown): string | undefined {
  if (isUnknown(wave) || wave.name !== undefined || isUnknown(wave.percent) || isUnknown(wave.tenants))
    return undefined;
  const tenants = wave.tenants?.filter((key) => !isUnknown(key));
  return tenants?.length === wave.tenants?.length ? waveName({ percent: wave.percent, tenants }) : undefined;
}

function tenantProblems(
  waves: readonly (WaveParts | Unknown)[],
  { keys, pinned, excluded }: RolloutFleet,
): DescribedIssue[] {
  const waveOf = new Map<string, number>();
  return waves.flatMap((wave, index) => {
    if (isUnknown(wave) || isUnknown(wave.tenants)) return [];
    return (wave.tenants ?? []).flatMap((key, position) => {
      if (isUnknown(key)) return [];
      const first = waveOf.get(key);
      if (first === undefined) waveOf.set(key, index);
      const reason = () => {
        if (!keys.has(key)) return notATenant(key, keys);
        if (first === index) return "is in this wave twice";
        if (first !== undefined) return `is in ${describeWave(waves, first)} already`;
        if (excluded.has(key)) return "is excluded from the rollout: remove one of the two";
        if (pinned.has(key)) return "has a release of its own, which no wave changes: remove one of the two";
        return undefined;
      };
      return problem(["waves", index, "tenants", position], reason());
    });
  });
}

function notATenant(key: string, keys: ReadonlySet<string>): string {
  return `is not a tenant of the fleet${didYouMean(key, [...keys])}`;
}

/** A wave of fewer tenants could never pass. One without tenants passes at once. */
function minTenantsProblems({ gate, waves }: StrategyParts): DescribedIssue[] {
  if (isUnknown(gate) || isUnknown(waves)) return [];
  const minTenants = gate?.minTenants;
  if (minTenants === undefined || isUnknown(minTenants)) return [];
  const index = waves.findIndex((wave) => {
    if (isUnknown(wave) || wave.tenants === undefined || isUnknown(wave.tenants)) return false;
    return wave.tenants.length > 0 && wave.tenants.length < minTenants;
  });
  if (index < 0) return [];
  const reason = `must not be more than the tenants of ${describeWave(waves, index)}, which could never pass`;
  return [{ path: ["gate", "minTenants"], reason }];
}

function shareProblems({ maxUnavailable, maxFailures }: StrategyParts): DescribedIssue[] {
  const isZero = maxUnavailable === 0 || percentOf(maxUnavailable) === 0;
  return [
    ...problem(["maxUnavailable"], isZero ? "must be more than 0, or no tenant could move" : tooMuch(maxUnavailable)),
    ...problem(["maxFailures"], tooMuch(maxFailures)),
  ];
}

function tooMuch(share: StrategyParts["maxFailures"]): string | undefined {
  return (percentOf(share) ?? 0) > 100 ? "must not be more than 100%" : undefined;
}

function percentOf(share: StrategyParts["maxFailures"]): number | undefined {
  return typeof share === "string" ? Number.parseFloat(share) : undefined;
}

/** Approvals of the target for waves that are not there. Those of other releases are old, and may stay. */
function approvalProblems({ approvals, waves }: StrategyParts, label: string): DescribedIssue[] {
  if (approvals === undefined || isUnknown(approvals) || isUnknown(waves)) return [];
  const names = new Set<string>();
  for (const wave of waves) {
    if (isUnknown(wave) || isUnknown(wave.name)) return [];
    if (wave.name !== undefined) names.add(wave.name);
  }
  const approved = Object.hasOwn(approvals, label) ? approvals[label] : undefined;
  if (approved === undefined || isUnknown(approved)) return [];
  return Object.keys(approved)
    .filter((name) => !names.has(name))
    .map((name) => ({
      path: ["approvals", label, name],
      reason: `is not the name of a wave${didYouMean(name, [...names])}`,
    }));
}

/** In place of unknown windows and freezes stand valid ones, so that the paths of the others stay. */
function knownCalendarProblems({ windows, timeZone, freeze }: StrategyParts): DescribedIssue[] {
  const day = "2000-01-01";
  return calendarProblems({
    windows: isUnknown(windows) ? undefined : windows?.map((window) => (isUnknown(window) ? "* * * * *" : window)),
    timeZone: isUnknown(timeZone) ? undefined : timeZone,
    freeze: isUnknown(freeze) ? undefined : freeze?.map((span) => (isUnknown(span) ? { from: day, to: day } : span)),
  });
}

/** A wave in messages: `wave "early"`, or `wave 3` if it has no name. */
function describeWave(waves: readonly (WaveParts | Unknown)[], index: number): string {
  const wave = waves[index];
  const name = wave === undefined || isUnknown(wave) ? undefined : wave.name;
  return typeof name === "string" ? `wave "${name}"` : `wave ${index + 1}`;
}

function problem(path: KeyPath, reason: string | undefined): DescribedIssue[] {
  return reason === undefined ? [] : [{ path, reason }];
}
