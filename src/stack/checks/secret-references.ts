import { existsSync } from "node:fs";
import { join } from "node:path";
import { schemeProblem } from "../../secrets/builtin.ts";
import { referencesIn } from "../../secrets/walk.ts";
import { keysEntries } from "../../settings/table.ts";
import { type ConfigNode, partsOf } from "../config/config-node.ts";
import { type Problem, problemAt } from "../config/problems.ts";
import type { TenantDeclaration } from "../declarations/declarations.ts";

/**
 * References to secrets that no resolver can resolve, and own resolvers that do not exist. Whether a secret exists is known
 * only where it is resolved.
 *
 * @param directory the folder of Pulumi.yaml.
 */
export function secretReferenceProblems(
  tenants: readonly TenantDeclaration[],
  resolvers: ConfigNode | undefined,
  directory: string,
): Problem[] {
  const own = partsOf(resolvers);
  const schemes = own.map(([scheme]) => scheme);
  const missing = own.flatMap(([, { value, place }]) => {
    const isMissing = typeof value === "string" && !existsSync(join(directory, value));
    return isMissing ? [{ ...place, reason: "names no file; paths are relative to the folder of Pulumi.yaml" }] : [];
  });
  const unresolvable = tenants.flatMap((tenant) =>
    keysEntries.flatMap(([setting]) =>
      referencesIn(tenant.entry[setting], []).flatMap(({ path, reference }) => {
        const reason = schemeProblem(reference, schemes);
        return reason === undefined ? [] : [problemAt(tenant, [setting, ...path], reason)];
      }),
    ),
  );
  return [...missing, ...unresolvable];
}
