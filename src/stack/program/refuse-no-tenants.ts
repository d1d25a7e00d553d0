import * as pulumi from "@pulumi/pulumi";
import type { ExportedResource } from "../../cli/exported-resources.ts";
import { isObject } from "../../json/is-object.ts";
import { oneLine } from "../../json/one-line.ts";
import { namespace } from "../config/config-values.ts";
import type { Stack } from "./stack.ts";

const shownMaximum = 5;
const setting = `${namespace}:allowNoTenants: true`;

/**
 * Refuses a stack that declares no tenants while its state has some: mostly its config is that of another stack, or Pulumi
 * ignores it. Only a stack without tenants pays for this, as reading the state takes the Pulumi CLI, and about a second.
 *
 * @throws pulumi.RunError that names them, or says why the state cannot be read, before any resource is registered.
 */
export async function refuseNoTenants({ directory, tenants, fleets, allowNoTenants }: Stack): Promise<void> {
  if (allowNoTenants || tenants.length > 0 || fleets.some((fleet) => fleet.tenants.length > 0)) return;
  const stored = await storedTenants(directory);
  if (stored.length === 0) return;
  const more = stored.length > shownMaximum ? ` and ${stored.length - shownMaximum} more` : "";
  throw new pulumi.RunError(
    `stack ${pulumi.getStack()} declares no tenants, but its state has ${stored.length}: ` +
      `${stored.slice(0, shownMaximum).join(", ")}${more}. \`up\` would archive all of them, which cannot be undone. Nothing has ` +
      `been changed. Check that this is the right stack, and that its config has ${namespace}:tenants or ` +
      `${namespace}:fleets. To archive them all, set ${setting} in its config for one \`up\``,
  );
}

/** The tenants that `up` would archive. */
async function storedTenants(cwd: string): Promise<string[]> {
  // The commands' code is loaded only if it is needed.
  const { exportedResources } = await import("../../cli/exported-resources.ts");
  const organization = pulumi.getOrganization();
  // A backend without organizations has this one. Older ones do not take it in a stack's name.
  const prefix = organization === "organization" ? "" : `${organization}/${pulumi.getProject()}/`;
  try {
    const { resources } = await exportedResources({ stack: prefix + pulumi.getStack(), cwd });
    return resources.flatMap(archivedWith).map(oneLine).sort();
  } catch (error) {
    throw new pulumi.RunError(
      `stack ${pulumi.getStack()} declares no tenants, and it is unknown whether its state has some, which \`up\` would ` +
        `archive: ${error instanceof Error ? error.message : error}\nNothing has been changed. If all tenants of this stack are ` +
        `to be archived, or it never has any, set ${setting} in its config`,
      { cause: error },
    );
  }
}

/** The names of the tenants that are archived if a resource is removed. */
function archivedWith({ urn, type, retainOnDelete, outputs }: ExportedResource): string[] {
  const name = urn.split("::").slice(3).join("::");
  if (retainOnDelete) return [];
  if (type === "Tenant") return [name];
  if (type !== "TenantFleet") return [];
  const tenants = partsOf(outputs.tenants);
  // The ids are never secret. Older states have none.
  const keys = Object.keys(partsOf(outputs.tenantIds ?? tenants));
  const isRetained = (key: string) => partsOf(tenants[key]).retainOnDelete ?? outputs.retainOnDelete;
  return keys.filter((key) => isRetained(key) !== true).map((key) => `${key} of fleet ${name}`);
}

function partsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
