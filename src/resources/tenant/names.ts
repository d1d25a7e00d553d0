import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { Owner } from "../../operation/ownership.ts";

/**
 * The maximum age, in seconds, of the list that shows which live tenants have a name, before a create. The operation may have
 * waited minutes for a build since its first list.
 */
export const listAgeSecondsMaximum = 30;

/**
 * Throws if a tenant would get the name of another live tenant. The name is free if the other tenant's resource declares
 * a different one, so that two tenants can swap their names in one `up`.
 */
export async function refuseTakenName(
  context: OperationContext,
  integration: IntegrationScope,
  owner: Owner,
  tenant: Tenant,
  name: string,
): Promise<void> {
  if (tenant.name === name) return;
  const { ownership } = context;
  const bearersNow = async () => {
    const live = await integration.tenants.named(name);
    const others = live.filter(({ id }) => id !== tenant.id && !ownership.wasFoundGone(id));
    return others.filter(({ id }) => !ownership.givesUpName(owner, id, name));
  };
  if ((await bearersNow()).length === 0) return refuseSameName(context, owner, tenant, name);
  await ownership.untilQuiet(); // the program may declare the other tenant's new name after this resource
  const isUndeclared = ({ id }: Tenant) => !ownership.holdersOf(id).some((holder) => ownership.isDeclared(holder));
  // a fleet that no longer declares the other tenant may be about to archive it
  if ((await bearersNow()).some(isUndeclared)) await ownership.untilArchived();
  const [bearer] = await bearersNow();
  if (bearer === undefined) return;
  throw new Error(
    `tenant "${tenant.name}" (id ${tenant.id}) cannot be named "${name}": ` +
      `tenant ${bearer.id} of integration "${integration.record.name}" is live and has that name. ` +
      "Declare another name, or archive that tenant first",
  );
}

/** Throws if two resources declare the same name for different tenants. */
function refuseSameName({ ownership }: OperationContext, owner: Owner, tenant: Tenant, name: string): void {
  const other = ownership.sameNameAs(owner);
  if (other === undefined) return;
  throw new Error(
    `tenant "${tenant.name}" (id ${tenant.id}) cannot be named "${name}": ${owner} and ${other} both declare that name. ` +
      "Declare a different name in one of them",
  );
}
