import { type BackendName, isAtEverySize } from "./backends/backend.ts";
import type { Contender, ContenderName, EngineLog } from "./contenders/contender.ts";

/** A contender, the backend that stores its state, and whether Pulumi's engine keeps its log. */
export interface Entrant {
  readonly contender: ContenderName;
  readonly backend: BackendName;
  readonly engineLog: EngineLog;
}

/** An entrant with a size and a latency. */
export interface Turn extends Entrant {
  readonly size: number;
  readonly latencyMilliseconds: number;
}

/** The largest number of tenants that flags measure on `s3` and `postgres`. */
export const sharedUpToTenants = 100;

interface Entry {
  readonly contenders: readonly Contender[];
  readonly backends: readonly BackendName[];
  readonly engineLogs: readonly EngineLog[];
}

/**
 * The entrants at a size: each contender on each backend and with each log that it supports, but on S3 and Postgres only small
 * sizes.
 */
export function entrantsAt(size: number, { contenders, backends, engineLogs }: Entry): Entrant[] {
  return contenders.flatMap((contender) =>
    backends
      .filter((backend) => contender.backends.includes(backend))
      .filter((backend) => isMeasuredAt(size, backend))
      .flatMap((backend) =>
        engineLogs
          .filter((engineLog) => contender.engineLogs.includes(engineLog))
          .map((engineLog) => ({ contender: contender.name, backend, engineLog })),
      ),
  );
}

function isMeasuredAt(size: number, backend: BackendName): boolean {
  return size <= sharedUpToTenants || isAtEverySize(backend);
}

/** The requested measurements that are skipped at this size, and why; "" if none are. */
export function skippedAt(size: number, { contenders, backends }: Entry): string {
  const others = backends.filter((backend) => backend !== "file");
  const measured = others.filter((backend) => isMeasuredAt(size, backend));
  const unmeasured = others.filter((backend) => !isMeasuredAt(size, backend));
  const without = contenders.filter((contender) => measured.some((backend) => !contender.backends.includes(backend)));
  return [
    ...(unmeasured.length > 0
      ? [`Skipped: ${unmeasured.join(" and ")}, measured only up to ${sharedUpToTenants} tenants.`]
      : []),
    ...(without.length > 0
      ? [`Skipped on ${measured.join(" and ")}: ${without.map(({ name }) => name).join(", ")}.`]
      : []),
  ].join(" ");
}

/** The name in tables: `fleet`, `fleet on s3`, `fleet, log off`. */
export function entrantName({ contender, backend, engineLog }: Entrant): string {
  const onBackend = backend === "file" ? contender : `${contender} on ${backend}`;
  return engineLog === "on" ? onBackend : `${onBackend}, log off`;
}

/** Tells turns of different entrants, sizes or latencies apart. */
export function turnName(turn: Turn): string {
  return `${turn.size} tenants, ${turn.latencyMilliseconds} ms: ${entrantName(turn)}`;
}
