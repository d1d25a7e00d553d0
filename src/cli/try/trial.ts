import type { Loan } from "../../operation/loan.ts";
import type { ReleaseProblem } from "../check/release-problems.ts";
import type { SyncResult } from "../sync/sync-tenants.ts";

/** How it went to try a release. Each step adds what it finds. */
export interface Trial {
  /** Name of the integration. */
  integration: string;
  /** Absent if there is none. */
  release?: { id: number; tag: string | null; name: string };
  /** `failed`: a sync failed, or the release does not fit a tenant. `not tried`: it is not known how it would go. */
  verdict: "passed" | "failed" | "not tried";
  /** Why it could not be tried. */
  reason?: string;
  /** What of the integration's tenants does not fit the release's schemas, and who has to change it. */
  problems: ReleaseProblem[];
  /** Whether these make it fail: not if the stack's config has `schemaViolations: warn` or `off`. */
  doProblemsFail: boolean;
  /** The test tenants that were lent. */
  tenants: TriedTenant[];
}

/** A test tenant, and how it went with it. */
export interface TriedTenant extends Pick<Loan, "before"> {
  id: number;
  name: string;
  /** Those that were requested, in their order. A failed one has the last lines of its log, without credentials. */
  syncs: (SyncResult & { log?: string })[];
  /** Why it did not get all syncs, or the last one counts for nothing. */
  reason?: string;
  /** Whether it is as before. */
  isBack?: boolean;
  /** Why it is not, or what somebody else has done. */
  note?: string;
}
