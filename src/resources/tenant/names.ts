import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../integration-scope.ts";
import type { Owner } from "../ownership.ts";
import type { Platform } from "../platform.ts";

/**
 * Throws where a tenant is to get the name of another live one, unless that one's resource is declared under another
 * name: two tenants may swap theirs in one `up`.
 */
export async function refuseTakenName(
  platform: Platform,
  integration: IntegrationScope,
  owner: Owner,
  tenant: Tenant,
  name: string,
): Promise<void> {
  if (tenant.name === name) return;
  const bearersNow = async () => {
    const live = await integration.tenants.named(name);
    return live.filter(({ id }) => id !== tenant.id && !givesUpName(platform, owner, id, name));
  };
  if ((await bearersNow()).length === 0) return refuseNamesake(platform, owner, tenant, name);
  await platform.ownership.untilQuiet(); // its resource may be declared after this one
  const [bearer] = await bearersNow();
  if (bearer === undefined) return;
  throw new Error(
    `tenant "${tenant.name}" (id ${tenant.id}) cannot be named "${name}": ` +
      `tenant ${bearer.id} of integration "${integration.record.name}" is live under that name. Declare another name, or archive that tenant first`,
  );
}

/** Two tenants may be on their way to one name. */
function refuseNamesake({ ownership }: Platform, owner: Owner, tenant: Tenant, name: string): void {
  const namesake = ownership.namesakeOf(owner);
  if (namesake === undefined) return;
  throw new Error(
    `tenant "${tenant.name}" (id ${tenant.id}) cannot be named "${name}": ${owner} and ${namesake} both declare that name. ` +
      "Declare another one for either",
  );
}

/** Whether another declared resource holds the tenant and declares another name for it. */
export function givesUpName({ ownership }: Platform, owner: Owner, id: number, name: string): boolean {
  return ownership.holdersOf(id).some((other) => {
    const declared = ownership.declarationOf(other);
    return other !== owner && declared?.name !== undefined && declared.name !== name;
  });
}
