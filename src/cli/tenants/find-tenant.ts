import type { Tenant } from "../../api/index.ts";
import { didYouMean } from "../../inputs/did-you-mean.ts";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { type PlacedTenant, tenantById } from "../../operation/tenant-by-id.ts";
import { CommandError } from "../subcommand.ts";
import { findIntegration } from "./find-integration.ts";
import { meantAmong, parseNameOrId } from "./name-or-id.ts";

/** A tenant as a command line names it. */
export interface TenantChoice {
  /** Its id or its name; see {@link parseNameOrId}. */
  tenant: string;
  /** Name or id of its integration. Default: any. */
  integration?: string | undefined;
}

/**
 * Finds the live tenant that a command line names.
 *
 * @throws CommandError if there is none, several have the name, or one has it as its name and another one as its id.
 */
export async function findTenant(
  context: OperationContext,
  { tenant: wanted, integration: wantedIntegration }: TenantChoice,
): Promise<PlacedTenant> {
  const integration = wantedIntegration === undefined ? undefined : await findIntegration(context, wantedIntegration);
  const { tenants } = integration ?? { tenants: context.snapshot.tenantsOf() };
  const live = await tenants.all();
  const nameOrId = parseNameOrId(wanted);
  const meantIn = (list: ReadonlyMap<number, Tenant>) => meantAmong("tenant", nameOrId, list.values());
  const listed = meantIn(live);
  const [found, ...others] = listed.length > 0 ? listed : meantIn(await tenants.fetchFreshAll()); // it may have been created since
  const where = integration === undefined ? "" : ` in integration "${oneLine(integration.record.name)}"`;
  if (found === undefined) {
    const names = [...live.values()].map(({ name }) => name);
    throw new CommandError(
      `there is no live tenant with the name or id "${oneLine(wanted)}"${where}${didYouMean(wanted, names)}`,
    );
  }
  if (others.length > 0) throw await severalHaveTheName(context, [found, ...others], where);
  if (integration !== undefined) return { tenant: found, integration };
  const placed = await tenantById(context, found.id);
  if (placed !== undefined) return placed;
  throw new CommandError(`tenant "${oneLine(found.name)}" (${found.id}) was archived a moment ago`);
}

async function severalHaveTheName(context: OperationContext, tenants: readonly Tenant[], where: string) {
  const placed = tenants.map(async ({ id }) => {
    const found = await tenantById(context, id);
    return found === undefined ? String(id) : `${id} (${oneLine(found.integration.record.name)})`;
  });
  const ids = shortList(await Promise.all(placed));
  const hint = where === "" ? "give its id, or its integration with --integration" : "give its id";
  return new CommandError(
    `${tenants.length} live tenants have the name "${oneLine(tenants[0]?.name ?? "")}"${where}: ${ids}; ${hint}`,
  );
}

/** A tenant in messages: `acme (1003)`. */
export function describeTenant({ name, id }: Pick<Tenant, "name" | "id">): string {
  return oneLine(`${name} (${id})`);
}
