import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { ExportedResource } from "../../cli/exported-resources.ts";
import { isObject } from "../../json/json-value.ts";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import { resourceTypeOf } from "../../resources/pulumi/type-token.ts";
import { namespace } from "../config/config-values.ts";
import type { Stack } from "./stack.ts";

const setting = `${namespace}:allowNoTenants: true`;

/**
 * Refuses a stack that declares no tenants while its state has some: mostly its config is that of another stack, or Pulumi
 * ignores it. Only a stack without tenants pays for this.
 *
 * @throws pulumi.RunError that names them, or says why the state cannot be read, before any resource is registered.
 */
export async function refuseNoTenants({ directory, tenants, fleets, allowNoTenants }: Stack): Promise<void> {
  if (allowNoTenants || tenants.length > 0 || fleets.some((fleet) => fleet.tenants.length > 0)) return;
  const stored = await storedTenants(directory);
  if (stored.length === 0) return;
  throw new pulumi.RunError(
    `stack ${pulumi.getStack()} declares no tenants, but its state has ${stored.length}: ` +
      `${shortList(stored, { maximum: 5 })}. \`up\` would archive all of them, which cannot be undone. Nothing has ` +
      `been changed. Check that this is the right stack, and that its config has ${namespace}:tenants or ` +
      `${namespace}:fleets. To archive them all, set ${setting} in its config for one \`up\``,
  );
}

/** The tenants that `up` would archive. */
async function storedTenants(cwd: string): Promise<string[]> {
  const organization = pulumi.getOrganization();
  // A backend without organizations has this one. Older ones do not take it in a stack's name.
  const prefix = organization === "organization" ? "" : `${organization}/${pulumi.getProject()}/`;
  const stack = prefix + pulumi.getStack();
  try {
    const held = await heldByEngine(stack);
    if (held.length === 0) return [];
    // The engine does not show `retainOnDelete`. The commands' code is loaded only if it is needed.
    const { exportedResources } = await import("../../cli/exported-resources.ts");
    const { resources } = await exportedResources({ env: process.env, directory: process.cwd() }, { stack, cwd });
    const exported = new Map(resources.map(({ urn, outputs }) => [urn, idsOf(outputs)]));
    if (!held.every(({ urn, ids }) => exported.has(urn) && isDeepStrictEqual(exported.get(urn), ids))) {
      throw new Error(
        `\`pulumi stack export\` in ${cwd} prints the state of another stack. Check PULUMI_BACKEND_URL: a path in it must be absolute`,
      );
    }
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

/** The resources with tenants in the state of the engine that runs. It knows the backend and the project, which a folder may not. */
async function heldByEngine(stackName: string): Promise<{ urn: string; ids: unknown }[]> {
  const answer = await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName });
  return Object.entries(engineSchema.parse(answer).outputs).flatMap(([urn, { type, outputs }]) => {
    const isTenants = ["Tenant", "TenantFleet"].includes(resourceTypeOf(type) ?? "");
    return isTenants ? [{ urn, ids: idsOf(outputs) }] : [];
  });
}

const engineSchema = z.object({
  outputs: z.record(z.string(), z.object({ type: z.string(), outputs: z.record(z.string(), z.unknown()) })),
});

/** What tells a resource from one of another state that has the same URN. It is never secret. Older states of fleets have none. */
function idsOf({ tenantId, tenantIds }: Record<string, unknown>): unknown {
  return tenantId ?? tenantIds;
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
