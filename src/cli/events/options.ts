import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { helpSection } from "../subcommand.ts";

/** Which events a command line selects. */
export interface EventFilters {
  /** ISO 8601, UTC. */
  since?: string | undefined;
  /** ISO 8601, UTC. */
  until?: string | undefined;
  type?: string | undefined;
  tenant?: number | undefined;
}

/** `--since TIME`. */
export function sinceOption() {
  const description = "only events since this time, such as 2h, 3d or 2026-11-23T04:00Z (default: 24h)";
  return new Option("--since <time>", description).argParser(parseTime);
}

/** `--until TIME`. */
export function untilOption() {
  return new Option("--until <time>", "only events until this time (default: now)").argParser(parseTime);
}

/** `--type TYPE`. */
export function typeOption() {
  const description = "only events of this type, such as run_failed; also unknown and malformed";
  return new Option("--type <type>", description);
}

/** `--tenant ID`. */
export function tenantOption() {
  return new Option("--tenant <id>", "only events about the tenant with this id").argParser(parseId);
}

/** `--data FILE`, and the options that it excludes. */
export function dataOption() {
  return new Option("--data <file>", "SQLite file of a receiver on this machine").conflicts([
    "stack",
    "cwd",
    "ledger",
    "bus",
  ]);
}

/** `--ledger TABLE`, and the options that it excludes. */
export function ledgerOption() {
  const description = "name of the ledger's table, instead of --stack";
  return new Option("--ledger <table>", description).conflicts(["stack", "cwd"]);
}

/** `--bus NAME`. */
export function busOption() {
  return new Option("--bus <name>", "name of the bus; required with --ledger");
}

/** What `--stack` means to these commands. */
export const stackDescription =
  "stack with the receiver, whose outputs name its resources (default: the selected stack)";

export const requirements = helpSection(
  "Requirements",
  "for a receiver on AWS: credentials, as the AWS CLI finds them,",
  "and to read the outputs of a stack, the Pulumi CLI on PATH",
);

/**
 * A time as ISO 8601, UTC. A time without a zone is UTC.
 *
 * @param text a duration before now (`90s`, `30m`, `2h`, `3d`, `1w`), a date, or a date with a time.
 */
export function parseTime(text: string): string {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return isoTime(Date.now() - Number(count) * (unitSeconds[unit] ?? 0) * 1000);
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes("T");
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d|$)/.test(text)) return isoTime(Date.parse(hasZone ? text : `${text}Z`));
  throw new InvalidArgumentError(invalidTime);
}

const unitSeconds: Partial<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

const invalidTime = "It must be a duration such as 30m, 2h or 3d, or a time such as 2026-11-23 or 2026-11-23T04:00Z.";

function isoTime(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) throw new InvalidArgumentError(invalidTime);
  return new Date(milliseconds).toISOString();
}

/** Parses an argument that is an ingest id. */
export function parseIngestId(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("Give the whole ingest id: `events list` has it.");
}

/** Parses the argument of `--replay-id`. */
export function parseReplayId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be the replayId that the interrupted replay has printed.");
}

function parseId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be the id of a tenant, which is a number.");
}
