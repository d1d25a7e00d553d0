import type { Release } from "../../api/index.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { valueAt } from "../../json/key-path.ts";
import type { ReleaseSchema, SchemaViolation } from "../../json-schema/index.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { hasMask } from "../../settings/masks.ts";
import { keysEntries } from "../../settings/table.ts";
import { UnknownNameError } from "../../snapshot/index.ts";
import type { PropertyPath } from "../property-path.ts";
import { parseNameOrId } from "../with-platform.ts";

export interface CheckResult {
  /** How many tenants were checked. */
  checked: number;
  violations: TenantViolation[];
  /** False if a schema could not be evaluated; a warning says which and why. */
  isComplete: boolean;
}

/** A value of a live tenant that violates a schema of the release. */
export interface TenantViolation {
  tenantId: number;
  tenant: string;
  /** `["configs", "region"]`. */
  path: PropertyPath;
  /** The rule that the value breaks. */
  problem: string;
}

/** Finds the live configs and metadata of an integration's tenants that violate the schemas of a release. */
export async function findViolations(
  context: OperationContext,
  { integration, release }: { integration: string; release: string },
): Promise<CheckResult> {
  const scope = await integrationScope(context, parseNameOrId(integration));
  const target = await findRelease(scope, release);
  const schemas = { configs: context.configSchemaOf(target), metadata: context.metadataSchemaOf(target) };
  const tenants = [...(await scope.tenants.all()).values()];
  const violations = tenants.map(async (tenant): Promise<TenantViolation[]> => {
    const { id, name } = tenant;
    const observed = { tenant, metadata: (await readMetadata(context, scope.tenants, id)) ?? {} };
    return keysEntries.flatMap(([property, { schemaOf, live }]) =>
      visibleProblems(schemaOf(schemas), live(observed)).map(({ path, message }) => ({
        tenantId: id,
        tenant: name,
        path: [property, ...path],
        problem: message,
      })),
    );
  });
  return {
    checked: tenants.length,
    violations: (await Promise.all(violations)).flat(),
    isComplete: !Object.values(schemas).some((schema) => schema.hasSkippedChecks()),
  };
}

/** The problems of values that the platform shows. A masked value may be valid, so its problems are left out. */
function visibleProblems(schema: ReleaseSchema, live: JsonObject): readonly SchemaViolation[] {
  const isMasked = ({ path }: SchemaViolation) => {
    const value = valueAt(live, path);
    return value !== undefined && hasMask(value);
  };
  return schema.violations(live).filter((problem) => !isMasked(problem));
}

async function findRelease({ record, releases }: IntegrationScope, release: string): Promise<Release> {
  if (/^\d+$/.test(release)) return releases.byId(Number(release));
  if (release !== "latest" && release !== "default") return releases.byTag(release);
  const found = await releases.ofChannel(release === "latest" ? "Latest" : "Default");
  if (found === undefined) throw new UnknownNameError(`integration "${record.name}" has no ${release} release`);
  return found;
}
