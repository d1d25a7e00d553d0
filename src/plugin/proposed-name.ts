import type { Failure } from "../inputs/input-schema.ts";
import { valueAt } from "../json/key-path.ts";
import type { ResourceType } from "../resources/pulumi/type-token.ts";
import { type CheckRequest, CheckRequest_AutonamingOptions_Mode } from "./wire/protocol_pb.ts";

/**
 * The name of a tenant or a fleet whose program gives none: that of the resource. If the user has configured Pulumi's
 * autonaming, a tenant keeps the name that it has, and a new one gets the proposed name.
 *
 * @param old the inputs of the last `up`.
 */
export function proposedName(
  type: ResourceType,
  { name, autonaming }: Pick<CheckRequest, "name" | "autonaming">,
  inputs: Readonly<Record<string, unknown>>,
  old: object | undefined,
): { added: { name?: string }; failures: Failure[] } {
  const isNamed = type === "Tenant" || type === "TenantFleet";
  if (!isNamed || (inputs.name !== undefined && inputs.name !== null)) return { added: {}, failures: [] };
  if (type === "TenantFleet" || autonaming === undefined) return { added: { name }, failures: [] };
  const former = valueAt(old ?? {}, ["name"]);
  if (typeof former === "string") return { added: { name: former }, failures: [] };
  if (autonaming.mode !== CheckRequest_AutonamingOptions_Mode.DISABLE)
    return { added: { name: autonaming.proposedName }, failures: [] };
  return { added: {}, failures: [{ property: "name", reason: "must be given, because autonaming is turned off" }] };
}
