import { typeToken } from "../../resources/pulumi/type-token.ts";
import { toJson } from "../output.ts";
import type { LiveFleet, LiveTenant } from "./live-tenants.ts";

/** The tenants as a file for `pulumi import --file`, each as a resource of the provider plugin. */
export function renderTenantImports(tenants: readonly LiveTenant[]): string {
  const nameOf = variableNames();
  const type = typeToken("native", "Tenant");
  return importFile(tenants.map(({ key, tenant }) => ({ type, ...nameOf(key), id: String(tenant.id) })));
}

/** The fleets as a file for `pulumi import --file`. */
export function renderFleetImports(fleets: readonly LiveFleet[]): string {
  const nameOf = variableNames();
  const type = typeToken("native", "TenantFleet");
  return importFile(fleets.map(({ key, scope }) => ({ type, ...nameOf(key), id: `${scope.id}/${key}` })));
}

/** A resource in the import file (`importSpec` in Pulumi's pkg/cmd/pulumi/operations/import.go). */
interface Import {
  type: string;
  /** The variable in the program that `pulumi import` prints. */
  name: string;
  /** The resource's name, if it differs. */
  logicalName?: string;
  id: string;
}

function importFile(resources: readonly Import[]): string {
  return toJson({ resources });
}

/** The names of a resource: Pulumi prints a broken program if the name of a variable has other characters or is not unique. */
function variableNames(): (key: string) => Pick<Import, "name" | "logicalName"> {
  const taken = new Set<string>();
  return (key) => {
    const words =
      key
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .match(/[a-z0-9]+/gi) ?? [];
    const start = words
      .join("-")
      .replace(/^(?=\d)|^$/, "tenant-")
      .replace(/-$/, "");
    let name = start;
    // `pulumi import` makes variables of some languages from names without case and `-`
    const folded = () => name.toLowerCase().replaceAll("-", "");
    for (let number = 2; taken.has(folded()); number += 1) name = `${start}-${number}`;
    taken.add(folded());
    return name === key ? { name } : { name, logicalName: key };
  };
}
