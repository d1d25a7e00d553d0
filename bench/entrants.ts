import type { BackendName } from "./backends/backend.ts";
import type { Contender, ContenderName } from "./contenders/contender.ts";

/** A contender, and where it keeps its state. */
export interface Entrant {
  readonly contender: Contender;
  readonly backend: BackendName;
}

/** Up to how many tenants contenders take part on backends other than `file`. */
export const sharedUpToTenants = 100;

interface Entry {
  readonly contenders: readonly Contender[];
  readonly backends: readonly BackendName[];
}

/** Who takes part at a size: every contender on every backend that it can have, but few tenants only on shared ones. */
export function entrantsAt(size: number, { contenders, backends }: Entry): Entrant[] {
  return contenders.flatMap((contender) =>
    backends
      .filter((backend) => contender.backends.includes(backend))
      .filter((backend) => backend === "file" || size <= sharedUpToTenants)
      .map((backend) => ({ contender, backend })),
  );
}

/** What of the asked-for a table at this size does not hold, and why; "" where it holds all. */
export function skippedAt(size: number, { contenders, backends }: Entry): string {
  const shared = backends.filter((backend) => backend !== "file").join(" and ");
  if (shared === "") return "";
  if (size > sharedUpToTenants) return `Skipped: ${shared}, measured at up to ${sharedUpToTenants} tenants only.`;
  const without = contenders.filter((contender) => backends.some((backend) => !contender.backends.includes(backend)));
  return without.length === 0 ? "" : `Skipped on ${shared}: ${without.map(({ name }) => name).join(", ")}.`;
}

/** For people: `fleet`, or `fleet on s3`. */
export function entrantName({ contender, backend }: { contender: ContenderName; backend: BackendName }): string {
  return backend === "file" ? contender : `${contender} on ${backend}`;
}
