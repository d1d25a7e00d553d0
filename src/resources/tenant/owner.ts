import { valueAt } from "../../json/key-path.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { type Owner, type OwnerKind, ownerOf } from "../../operation/ownership.ts";
import type { TenantState } from "./schema.ts";

/** Whether the state has a usable name of the resource. A state whose name is invalid may belong to a known resource. */
export function isNamed({ name, declaredName = name, logicalName = declaredName }: TenantState): boolean {
  return logicalName !== "" && !logicalName.startsWith("/");
}

/** Registers the owner of a tenant and its metadata during a diff, whose inputs may be unknown. Returns the owner. */
export function holdByDiff(
  { ownership, metadataOwnership }: OperationContext,
  kind: OwnerKind,
  id: number,
  state: TenantState,
  inputs: object,
): Owner {
  const before = ownerOf(kind, state);
  const [name, logicalName = name] = ["name", "logicalName"].map((key) => valueAt(inputs, [key]));
  const named = typeof logicalName === "string" ? ownerOf(kind, { name: logicalName }) : before;
  // the new name counts only if a check declared it, after an alias renamed the resource
  const owner = ownership.isDeclared(named) ? named : before;
  // The diff of a refresh comes before any check. Its read has registered the owner, and its inputs, which are those of the
  // last success, may be older than the state.
  if (!ownership.isDeclared(owner)) return owner;
  if (owner !== before) ownership.release(before, id);
  ownership.hold(owner, id);
  const metadata = valueAt(inputs, ["metadata"]);
  if (typeof metadata === "object" && metadata !== null) {
    const keys = Object.keys(metadata);
    metadataOwnership.hold(owner, id, keys);
    metadataOwnership.refuseSecondOwner(owner, id, keys);
  } else {
    metadataOwnership.release(owner, id);
  }
  return owner;
}
