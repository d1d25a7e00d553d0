import { valueAt } from "../../json-schema/index.ts";
import { type Owner, type OwnerKind, ownerOf } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import type { TenantState } from "./schema.ts";

/** Whether the state tells the resource's name. One that cannot be read may be of a resource that was read before. */
export function isNamed({ name, declaredName = name, logicalName = declaredName }: TenantState): boolean {
  return logicalName !== "" && !logicalName.startsWith("/");
}

/** Enters who answers for a tenant and its metadata by the inputs, which may have unknown parts; returns the owner. */
export function holdByDiff(
  { ownership, metadataOwnership }: Platform,
  kind: OwnerKind,
  id: number,
  state: TenantState,
  inputs: object,
): Owner {
  const before = ownerOf(kind, state);
  const [name, logicalName = name] = ["name", "logicalName"].map((key) => valueAt(inputs, [key]));
  const named = typeof logicalName === "string" ? ownerOf(kind, { name: logicalName }) : before;
  // an alias has renamed the resource; in the diff of a refresh, which comes before any check, it is the observed name
  const owner = ownership.declarationOf(named) === undefined ? before : named;
  if (owner !== before) ownership.release(before, id);
  ownership.hold(owner, id);
  const metadata = valueAt(inputs, ["metadata"]);
  if (typeof metadata === "object" && metadata !== null) {
    metadataOwnership.hold(owner, id, Object.keys(metadata));
    metadataOwnership.refuseRival(owner, id);
  } else {
    metadataOwnership.release(owner, id);
  }
  return owner;
}
