import { z } from "zod";
import type { Tenant } from "../../api/index.ts";
import { oneLine } from "../../json/one-line.ts";
import { parseJson } from "../../json/parse-json.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { StackChoice } from "../stack-choice.ts";
import { stackSetting } from "../stack-setting.ts";
import { CommandError } from "../subcommand.ts";
import { describeTenant, findTenant } from "../tenants/find-tenant.ts";
import { nobodySelected, selectTenants } from "../tenants/select-tenants.ts";
import type { CommandContext } from "../with-platform.ts";

/** The tenants that a command line names: each by its name or id, or those that match an expression. */
export interface TenantsChoice extends StackChoice {
  integration: string;
  tenant?: readonly string[] | undefined;
  pool?: string | undefined;
}

/**
 * The test tenants that a command line names; without names, all of the integration.
 *
 * @throws CommandError if one that is named is none.
 */
export async function testTenants(
  context: CommandContext,
  scope: IntegrationScope,
  { integration, tenant: names, pool, ...stack }: TenantsChoice,
): Promise<{ tenants: Tenant[]; isTestTenant(name: string): boolean }> {
  const named = await Promise.all((names ?? []).map((tenant) => findTenant(context, { tenant, integration })));
  const selected = pool === undefined ? [] : await selectTenants(context, { integration, where: pool });
  if (pool !== undefined && selected.length === 0) throw nobodySelected({ integration, where: pool }, "tried");
  const wanted = new Map([...named, ...selected].map(({ tenant }) => [tenant.id, tenant]));
  const isStackNamed = stack.stack !== undefined || stack.cwd !== undefined;
  const listed = isStackNamed ? await listedTenants(context, stack) : [];
  const isTestTenant = (name: string) => name.startsWith("test-") || listed.includes(name);
  if (names === undefined && pool === undefined) {
    const all = [...(await scope.tenants.all()).values()];
    return { tenants: all.filter(({ name }) => isTestTenant(name)), isTestTenant };
  }
  const other = [...wanted.values()].find(({ name }) => !isTestTenant(name));
  if (other === undefined) return { tenants: [...wanted.values()], isTestTenant };
  throw new CommandError(
    `tenant ${describeTenant(other)} is no test tenant: its name does not begin with "test-", and ` +
      (isStackNamed
        ? `the stack's config does not list "${oneLine(other.name)}" under integration-platform:testTenants`
        : "no stack is named with --stack whose config lists it under integration-platform:testTenants"),
  );
}

async function listedTenants({ shell }: CommandContext, stack: StackChoice): Promise<readonly string[]> {
  const text = (await stackSetting(shell, stack, false))("testTenants");
  if (text === undefined) return [];
  const parsed = parseJson(text);
  const listed = z.array(z.string()).safeParse(parsed.isJson ? parsed.value : text).data;
  if (listed !== undefined) return listed;
  throw new CommandError("integration-platform:testTenants must be a list of names, such as [acme-test]");
}
