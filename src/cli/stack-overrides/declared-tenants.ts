import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import type { Declarations, TenantDeclaration } from "../../stack/declarations/declarations.ts";
import { integrationOf } from "../../stack/declarations/named-tenant.ts";
import type { StackOfFile } from "../stack-file.ts";

/** A tenant that a stack's file declares, as far as a pause is concerned. */
export interface DeclaredTenant {
  key: string;
  /** The key of its fleet. */
  fleet: string | undefined;
  name: string;
  /** As it is declared. */
  integration: string | number;
  integrationId: number;
  /** The id of the tenant that it takes over. */
  adopt: number | undefined;
  /** What it declares; undefined if nothing. */
  paused: boolean | undefined;
}

/** The tenants of a stack, and what hides others. */
export interface DeclaredTenants {
  tenants: readonly DeclaredTenant[];
  /** Why more tenants may be declared, or may declare something else: for messages. */
  unknown: readonly string[];
}

/** @param integrationIds the ids of the platform's integrations, by id and by name. */
export function declaredTenants(
  stack: StackOfFile,
  integrationIds: ReadonlyMap<string | number, number>,
): DeclaredTenants {
  const declarations = allOf(stack.declarations);
  const hidden = declarations.filter(isHidden);
  const tenants = declarations.flatMap((declaration): DeclaredTenant[] => {
    const { key, fleet, entry } = declaration;
    const integration = integrationOf(declaration);
    const integrationId = integration === undefined ? undefined : integrationIds.get(integration);
    if (hidden.includes(declaration) || integration === undefined || integrationId === undefined) return [];
    const adopt = typeof entry.adopt === "number" ? entry.adopt : undefined;
    const name = entry.name ?? key;
    return [{ key, fleet: fleet?.key, name, integration, integrationId, adopt, paused: entry.paused }];
  });
  const encrypted = sections.filter((key) => isUnknown(stack.config.part(key)?.value));
  return {
    tenants,
    unknown: [
      ...encrypted.map((key) => `its ${key} are encrypted`),
      ...(hidden.length === 0
        ? []
        : [`${counted(hidden.length, "tenant")} cannot be compared, because parts are encrypted`]),
      ...(stack.stackConfig.hasUnreadKeys
        ? ["it names environments of Pulumi ESC, which this command does not read"]
        : []),
      ...(stack.problems.length === 0 ? [] : ["the file has problems, which `integration-platform validate` shows"]),
    ],
  };
}

const sections = ["tenants", "tenantDefaults", "fleets"] as const;

function allOf({ standalone, fleets }: Declarations): TenantDeclaration[] {
  return [...standalone, ...fleets.flatMap(({ tenants }) => tenants)];
}

/** Whether it is encrypted which tenant is meant, or whether it is paused. One that is declared as paused is not hidden. */
function isHidden({ node, fleet }: TenantDeclaration): boolean {
  if (isUnknown(node.value)) return true;
  const paused = node.part("paused")?.value;
  if (!isUnknown(paused) && paused !== false) return false;
  const isEncrypted = (key: string) => [node, fleet?.node].some((of) => hasUnknown(of?.part(key)?.value));
  return ["paused", "integration", "name", "adopt"].some(isEncrypted);
}

/** A number and its noun: `1 tenant`, `2 tenants`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
