import type { ReleaseProblem } from "../check/release-problems.ts";
import type { EditedRelease } from "./edit-release.ts";
import type { Proof } from "./proof.ts";

/** A release that goes from one stack to another, and what was found on the way. */
export interface Promotion {
  from: string;
  to: string;
  integration: string;
  tag: string;
  proof: Proof;
  /** Ids of the release on both platforms. */
  releases: { from: number; to: number };
  /** How many tenants the platform of `to` has of the integration. */
  tenants: number;
  problems: ReleaseProblem[];
  /** Why it is refused; empty if it is not. */
  refusals: string[];
  /** The file of the stack, relative to the project. */
  file: string;
  edit: Pick<EditedRelease, "changed" | "left">;
  isDryRun: boolean;
}

/** What is required of a proof unless the stack or the command line says otherwise. */
export const requiredDefault = "tenants >= 1 and syncs >= 1 and failures == 0";
