import type { BackendName } from "./backends/backend.ts";
import type { Contender, ContenderName } from "./contenders/contender.ts";

/** A contender, and the backend that stores its state. */
export interface Entrant {
  readonly contender: Contender;
  readonly backend: BackendName;
}

/** The largest number of tenants that is measured on `s3` and `postgres`. */
export const sharedUpToTenants = 100;

interface Entry {
  readonly contenders: readonly Contender[];
  readonly backends: readonly BackendName[];
}

/** The entrants at a size: each contender on each backend that it supports, but on S3 and Postgres only small sizes. */
export function entrantsAt(size: number, { contenders, backends }: Entry): Entrant[] {
  return contenders.flatMap((contender) =>
    backends
      .filter((backend) => contender.backends.includes(backend))
      .filter((backend) => isMeasuredAt(size, backend))
      .map((backend) => ({ contender, backend })),
  );
}

function isMeasuredAt(size: number, backend: BackendName): boolean {
  return backend === "file" || backend === "journal" || size <= sharedUpToTenants;
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

/** The name in tables: `fleet`, or `fleet on s3`. */
export function entrantName({ contender, backend }: { contender: ContenderName; backend: BackendName }): string {
  return backend === "file" ? contender : `${contender} on ${backend}`;
}
