import type { Release } from "../../api/index.ts";
import { missingKeywords, type ReleaseSchema, type SchemaViolation } from "../../json-schema/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { releaseSchemas } from "../../operation/release-schemas.ts";
import { schemasOf } from "../../resources/tenant/desired.ts";
import { type Hiding, splitViolations } from "../../settings/split-violations.ts";
import { keysEntries } from "../../settings/table.ts";
import { UnknownNameError } from "../../snapshot/index.ts";
import type { PropertyPath } from "../property-path.ts";
import { findIntegration } from "../tenants/find-integration.ts";

export interface CheckResult {
  /** How many tenants were checked. */
  checked: number;
  violations: TenantViolation[];
  /** What the schemas do not refuse, and is probably a mistake: a choice that the tenant does not have, or a number out of range. */
  warnings: TenantViolation[];
  /** How many values could not be checked, because the platform hides them or may leave them out. */
  valuesNotChecked: number;
  /** False if there are such values, or if a schema could not be evaluated; a warning says which and why. */
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
  const scope = await findIntegration(context, integration);
  const target = await findRelease(scope, release);
  const schemas = releaseSchemas(context, target);
  const tenants = [...(await scope.tenants.all()).values()];
  const results = tenants.map(async (tenant) => {
    const { id, name } = tenant;
    const observed = { tenant, metadata: (await readMetadata(context, scope.tenants, id)) ?? {} };
    const current = await schemasOf(context, scope, undefined, tenant); // its release decides what the platform hides
    return keysEntries.map(([property, { schemaOf, live }]) => {
      const values = live(observed);
      const hiding = eitherOf(schemaOf(schemas), schemaOf(current));
      const all = schemaOf(schemas).violations(values, tenant.status?.dynamic_configs);
      const { certain, notChecked } = splitViolations(all, values, hiding);
      const ofTenant = (violations: readonly SchemaViolation[]) =>
        violations.map(({ path, message }): TenantViolation => {
          return { tenantId: id, tenant: name, path: [property, ...path], problem: message };
        });
      const violations = ofTenant(certain.filter(({ severity }) => severity === "error"));
      // what cannot be chosen yet is missing before each tenant's first init sync
      const isMistake = ({ severity, keyword }: SchemaViolation) =>
        severity === "warning" && !missingKeywords.has(keyword);
      return { violations, warnings: ofTenant(certain.filter(isMistake)), notChecked: notChecked.length };
    });
  });
  const found = (await Promise.all(results)).flat();
  const valuesNotChecked = found.reduce((sum, { notChecked }) => sum + notChecked, 0);
  const hasSkippedChecks = Object.values(schemas).some((schema) => schema.hasSkippedChecks());
  return {
    checked: tenants.length,
    violations: found.flatMap(({ violations }) => violations),
    warnings: found.flatMap(({ warnings }) => warnings),
    valuesNotChecked,
    isComplete: valuesNotChecked === 0 && !hasSkippedChecks,
  };
}

/** What one of two schemas hides. */
function eitherOf(one: ReleaseSchema, other: ReleaseSchema): Hiding {
  return {
    isHidden: (path) => one.isHidden(path) || other.isHidden(path),
    namesAt: (path) => [...one.namesAt(path), ...other.namesAt(path)],
  };
}

/** The release that a command line names: its tag or id, `latest` or `default`. */
export async function findRelease({ record, releases }: IntegrationScope, release: string): Promise<Release> {
  if (/^\d+$/.test(release)) return releases.byId(Number(release));
  if (release !== "latest" && release !== "default") return releases.byTag(release);
  const found = await releases.ofChannel(release === "latest" ? "Latest" : "Default");
  if (found === undefined) throw new UnknownNameError(`integration "${record.name}" has no ${release} release`);
  return found;
}
