import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { canSync } from "../../operation/tenant-connection.ts";
import { noSecrets } from "../../secrets/secret-table.ts";
import { reportedViolation } from "../../settings/schema-violations.ts";
import { splitViolations } from "../../settings/split-violations.ts";
import type { Releases } from "../../snapshot/index.ts";
import { applySettings } from "../tenant/apply.ts";
import { schemasOf } from "../tenant/desired.ts";
import { noHistory } from "../tenant/observed-tenant.ts";
import { type ReleaseRef, selectorOf } from "./release-ref.ts";
import type { RolloutTenant, RolloutView } from "./rollout-view.ts";
import type { Strategy } from "./schema.ts";

/**
 * Gives a tenant another release, and returns the tenant as a read showed it afterwards. All other settings stay.
 *
 * @throws ValidationError if the platform refuses it, and errors of the client or of reads that do not show it.
 */
export async function moveTenant(
  context: OperationContext,
  integration: IntegrationScope,
  tenant: Tenant,
  release: ReleaseRef,
): Promise<Tenant> {
  const settings = { release: selectorOf(release) }; // a tenant may have run a release that no list shows
  const schemas = await schemasOf(context, integration, settings.release, tenant);
  const start = { integration, id: tenant.id, tenant, metadata: {}, isRead: true, history: noHistory };
  const desired = { settings, resolved: settings, removed: {}, schemas, secrets: noSecrets, secretPaths: [] };
  const applied = await applySettings(context, desired, start);
  if (applied.error !== undefined) throw applied.error;
  return applied.tenant.tenant;
}

/** Why a tenant is left that could not prove itself. */
export const cannotSync = { paused: "it is paused", unconnected: "it is not connected" } as const;

/** Why a tenant must stay where it is, although its turn has come; `undefined` if it can move. */
export async function obstacleTo(
  context: OperationContext,
  { integration }: RolloutView,
  { tenant }: RolloutTenant,
  releases: readonly (ReleaseRef | undefined)[],
  { whenPaused, whenUnconnected }: NonNullable<Strategy["gate"]> = {},
): Promise<string | undefined> {
  if (whenPaused === "leave" && tenant.paused) return cannotSync.paused;
  if (whenUnconnected === "leave" && canSync(tenant, integration).kind === "cannot") return cannotSync.unconnected;
  for (const release of releases) {
    const misfit = release === undefined ? undefined : await configsMisfit(context, integration, tenant, release);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** Why a tenant's configs do not fit the schema of a release. What reads hide is not checked. */
export async function configsMisfit(
  context: OperationContext,
  { releases }: Pick<IntegrationScope, "releases">,
  { configs, status }: Pick<Tenant, "configs" | "status">,
  ref: ReleaseRef,
): Promise<string | undefined> {
  const release = await releaseOf(releases, ref);
  const schema = context.configSchemaOf(release);
  const filled = schema.withDefaults(configs);
  const { certain } = splitViolations(schema.violations(filled, status?.dynamic_configs), filled, schema);
  const [violation] = certain
    .filter(({ path, severity }) => severity === "error" && !schema.isHidden(path))
    .flatMap((one) => reportedViolation(one, context.schemaViolations, "integration-platform:schemaViolations"));
  if (violation?.severity !== "error") return undefined;
  const at = ["configs", ...violation.path].join(".");
  return `its ${at} does not fit the schema of release ${release?.tag ?? ref}: ${violation.message}`;
}

async function releaseOf(releases: Releases, ref: ReleaseRef) {
  if (!/^\d+$/.test(ref)) return releases.ofChannel(ref);
  return (await releases.all()).find(({ id }) => String(id) === ref);
}
