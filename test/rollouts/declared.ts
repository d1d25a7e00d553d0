import type { Program, Declared as Resource } from "../model/program.ts";
import { type integrations, type Tag, tags } from "./scene.ts";

/** A wave as a program declares it. */
export interface Wave {
  readonly name?: string;
  readonly tenants?: readonly string[];
  readonly percent?: number;
  readonly approval?: "required";
}

/** How a rollout is declared, without its target. */
export interface Strategy {
  readonly waves: readonly Wave[];
  readonly minTenants: number;
  readonly soakSeconds: number;
  readonly deadlineSeconds: number;
  readonly whenUnconnected: "skip" | "leave";
  readonly whenPaused: "skip" | "leave";
  readonly maxUnavailable: number | string;
  readonly maxFailures: number | string;
  readonly onFailure: "pause" | "rollback";
  /** The hours in which a wave may start, both included. */
  readonly window: readonly [from: number, to: number] | undefined;
  readonly timeZone: "Europe/Berlin" | undefined;
  readonly freeze: { readonly from: string; readonly to: string } | undefined;
  /** The waves that are approved, for the target of the time. */
  readonly approved: readonly string[];
  readonly paused: boolean;
}

/** A fleet of a program, with its rollout. */
export interface Fleet {
  readonly name: "f1" | "f2";
  readonly integration: keyof typeof integrations;
  /** The tenants by key. One with a release of its own is a pin. */
  readonly tenants: ReadonlyMap<string, Entry>;
  readonly exclude: readonly string[];
  readonly target: Tag;
  readonly attempt: number;
  readonly strategy: Strategy;
}

/** A tenant of a fleet. */
export interface Entry {
  /** Its name on the platform. */
  readonly name: string;
  readonly release?: Tag;
  /** Its former key. */
  readonly alias?: string;
}

/** What a program declares. */
export type Declared = readonly Fleet[];

/** How long a command waits for runs. The platform's time moves with each request, so this is short. */
const waitSeconds = 1;

export function programOf(declared: Declared): Program {
  return declared.flatMap((fleet) => [fleetOf(fleet), rolloutOf(fleet)]);
}

/** The keys of a fleet that its rollout moves. */
export function membersOf({ tenants, exclude }: Fleet): string[] {
  return [...tenants]
    .filter(([key, { release }]) => release === undefined && !exclude.includes(key))
    .map(([key]) => key);
}

function fleetOf({ name, integration, tenants, exclude, target, attempt }: Fleet): Resource {
  const entries = [...tenants].map(([key, { name, release, alias }]) => [
    key,
    {
      name,
      paused: false,
      ...(release === undefined ? {} : { release: { tag: release } }),
      ...(alias === undefined ? {} : { aliases: [alias] }),
    },
  ]);
  const kept = exclude.filter((key) => tenants.has(key));
  const rollout = { release: { tag: target }, attempt, ...(kept.length === 0 ? {} : { exclude: kept }) };
  return {
    type: "TenantFleet",
    name,
    args: { integration, forceArchive: true, tenants: Object.fromEntries(entries), rollout },
  };
}

function rolloutOf(fleet: Fleet): Resource {
  const { name, target, strategy } = fleet;
  const { soakSeconds, deadlineSeconds, minTenants, whenUnconnected, whenPaused, window, freeze, ...rest } = strategy;
  const { timeZone, maxUnavailable, maxFailures, onFailure, paused } = rest;
  return {
    type: "FleetRollout",
    name,
    args: {
      fleet: { $of: `TenantFleet ${name}` },
      waves: wavesOf(fleet),
      gate: { minTenants, soakSeconds, deadlineSeconds, whenUnconnected, whenPaused },
      maxUnavailable,
      maxFailures,
      onFailure,
      paused,
      waitSeconds,
      ...(window === undefined ? {} : { windows: [`* ${window[0]}-${window[1]} * * *`] }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(freeze === undefined ? {} : { freeze: [freeze] }),
      approvals: { [target]: approvalsOf(fleet) },
    },
  };
}

/** The declared waves. A wave names no tenant that the rollout does not have. */
export function wavesOf(fleet: Fleet): Wave[] {
  const members = membersOf(fleet);
  return fleet.strategy.waves.map(({ tenants, ...wave }) =>
    tenants === undefined ? wave : { ...wave, tenants: tenants.filter((key) => members.includes(key)) },
  );
}

function approvalsOf({ strategy: { approved, waves } }: Fleet): Record<string, string> {
  const names = approved.filter((name) => waves.some((wave) => wave.name === name));
  return Object.fromEntries(names.map((name) => [name, "CHG-1"]));
}

/** The strategy with which nothing holds a rollout up. */
export const openStrategy: Strategy = {
  waves: [{ percent: 100 }],
  minTenants: 0,
  soakSeconds: 0,
  deadlineSeconds: 86_400,
  whenUnconnected: "skip",
  whenPaused: "skip",
  maxUnavailable: 100,
  maxFailures: 0,
  onFailure: "pause",
  window: undefined,
  timeZone: undefined,
  freeze: undefined,
  approved: ["canary", "early", "rest"],
  paused: false,
};

export function isTag(value: unknown): value is Tag {
  return tags.some((tag) => tag === value);
}
