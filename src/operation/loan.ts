import { z } from "zod";
import type { Tenant } from "../api/index.ts";
import type { JsonObject } from "../json/json-value.ts";
import { tryKeys } from "../settings/portable-keys.ts";
import type { PlatformTime } from "./platform-time.ts";

/** A test tenant that `integration-platform try` has lent itself, until it puts the tenant's former release back. */
export const loanSchema = z.object({
  /** Identifies the command that has it. */
  id: z.string(),
  /** What it is tried for, such as the tag of a pull request's build. */
  label: z.string(),
  /** Who started the command, if its environment says so. */
  by: z.string(),
  /** When the command has certainly ended: ISO 8601, by the platform's clock. */
  until: z.iso.datetime({ offset: true }),
  /** Id of the release that is tried, or {@link noRelease}. */
  release: z.number(),
  /** What the tenant ran before. A platform where null removes a key keeps only one of them. */
  before: z.object({
    integration_release_id: z.number().nullable().default(null),
    integration_release_channel: z.string().nullable().default(null),
  }),
});

/** The release of a loan that is only for a note in the metadata: the tenant is not moved. */
export const noRelease = 0;

export type Loan = z.infer<typeof loanSchema>;

/** The loan that a tenant's metadata has; `undefined` if nobody has the tenant. */
export function loanIn(metadata: JsonObject): Loan | undefined {
  return loanSchema.safeParse(metadata[tryKeys.loan]).data;
}

/** Whether a loan is over although nobody has ended it: its command was killed. While it is not known what time it is, none is. */
export function isOver({ until }: Loan, { at, isBelieved }: PlatformTime): boolean {
  return isBelieved && Date.parse(until) <= at.getTime();
}

/** Whether a tenant runs the release that is tried. If not, it was not moved yet, or somebody else has moved it since. */
export function runsTried(tenant: Tenant, { release }: Loan): boolean {
  return !tenant.integration_release_channel && tenant.integration_release_id === release;
}

/** A loan in messages: `pr-123 (ada) until 2026-11-24T06:00:00Z`. */
export function describeLoan({ label, by, until }: Loan): string {
  return `${label} (${by}) until ${until}`;
}
