import type { BackendName } from "./backends/backend.ts";
import type { Contender, ContenderName } from "./contenders/contender.ts";

/** A contender, and the backend that stores its state. */
export interface Entrant {
  readonly contender: Contender;
  readonly backend: BackendName;
}

/** The largest number of tenants that is measured on backends other than `file`. */
export const sharedUpToTenants = 100;

interface Entry {
  readonly contenders: readonly Contender[];
  readonly backends: readonly BackendName[];
}

/** The entrants at a size: each contender on each backend that it supports, but on shared backends only small sizes. */
export function entrantsAt(size: number, { contenders, backends }: Entry): Entrant[] {
  return contenders.flatMap((contender) =>
    backends
      .filter((backend) => contender.backends.includes(backend))
      .filter((backend) => backend === "file" || size <= sharedUpToTenants)
      .map((backend) => ({ contender, backend })),
  );
}

/** The requested measurements that are skipped at this size, and why; "" if none are. */
export function skippedAt(size: number, { contenders, backends }: Entry): string {
  const shared = backends.filter((backend) => backend !== "file").join(" and ");
  if (shared === "") return "";
  if (size > sharedUpToTenants) return `Skipped: ${shared}, measured only up to ${sharedUpToTenants} tenants.`;
  const without = contenders.filter((contender) => backends.some((backend) => !contender.backends.includes(backend)));
  return without.length === 0 ? "" : `Skipped on ${shared}: ${without.map(({ name }) => name).join(", ")}.`;
}

/** The name in tables: `fleet`, or `fleet on s3`. */
export function entrantName({ contender, backend }: { contender: ContenderName; backend: BackendName }): string {
  return backend === "file" ? contender : `${contender} on ${backend}`;
}
