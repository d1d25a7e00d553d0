import { missingKeywords } from "../../json-schema/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { schemasOf } from "../../resources/tenant/desired.ts";
import type { SelectedTenant } from "../tenants/select-tenants.ts";

/**
 * What must happen before a tenant has all that its release requires: `connect`, its customer connects it; `init sync`, then an
 * init sync finds what may be chosen for a required dynamic choice.
 */
export type NextStep = "connect" | "init sync";

/** The next steps of the tenants that lack a required dynamic choice and have no options for it, by their ids. */
export async function nextSteps(
  context: OperationContext,
  selected: readonly SelectedTenant[],
): Promise<Map<number, { nextStep: NextStep }>> {
  const steps = selected.map(async ({ tenant, scope, fields }) => {
    const { configs } = await schemasOf(context, scope, undefined, tenant);
    // the only warning of a value that is missing
    const isAwaited = configs
      .violations(tenant.configs, tenant.status?.dynamic_configs)
      .some(({ keyword, severity }) => severity === "warning" && missingKeywords.has(keyword));
    const nextStep: NextStep = fields.connected === false ? "connect" : "init sync";
    return isAwaited ? [[tenant.id, { nextStep }] as const] : [];
  });
  return new Map((await Promise.all(steps)).flat());
}
