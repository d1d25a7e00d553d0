import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { resolvedSettings } from "../../resources/tenant/desired.ts";
import { isOneWay } from "../../settings/release.ts";
import type { TenantSettings } from "../../settings/table.ts";
import { tenantIdentity } from "../../settings/tenant-identity.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { type ConfigNode, placeAt } from "../config/config-node.ts";
import { type Problem, problemAt } from "../config/problems.ts";
import type { Declarations, FleetDeclaration } from "../declarations/declarations.ts";
import { integrationOf, type NamedTenant } from "../declarations/named-tenant.ts";
import { relationById } from "../declarations/override-for.ts";
import type { BuildEntry } from "../declarations/schema.ts";
import { declaredTwice, isLong, takesOver, valueProblems } from "./cross-checks.ts";
import { overrideProblems } from "./override-problems.ts";
import { existingTenants, schemaChecks } from "./schema-checks.ts";

/** What is compared with the platform. */
export interface PreflightSubject {
  tenants: readonly NamedTenant[];
  /** The fleets with a rollout. */
  rollouts: readonly FleetDeclaration[];
  builds: Readonly<Record<string, BuildEntry>>;
  /** What the overrides are compared with. */
  declarations: Declarations;
  /** Settings that may be plaintext although the release's schema marks them as secrets. */
  allowPlaintextSecrets: readonly string[];
  /** The whole config of the stack, with places. */
  config: ConfigNode;
}

/** What the preflight has found. */
export interface Preflight {
  problems: Problem[];
  /** The ids of the builds' integrations, by the keys of the builds. */
  integrationIds: ReadonlyMap<string, number>;
  /** The ids of the integrations that overrides can mean, by their names and ids as the stack has them. */
  idsByIntegration: ReadonlyMap<string | number, number>;
}

/**
 * Asks the platform whether the integrations and releases exist that the stack names, and whether configs and metadata fit
 * their schemas. It takes one request for all integrations and one for the releases of each. It lists the tenants of an
 * integration only if something does not fit a new tenant, because an existing one may run another release, or if a dynamic
 * choice is declared, because an existing one may have options.
 */
export async function preflightProblems(context: OperationContext, subject: PreflightSubject): Promise<Preflight> {
  const firstDeclarations = new Map<string, NamedTenant>();
  const declaredNames = await namesByIntegration(context, subject.tenants);
  const found = subject.tenants.map((tenant) =>
    problemsOf(context, subject, tenant, { firstDeclarations, declaredNames }),
  );
  const targets = subject.rollouts.map((fleet) => targetProblems(context, fleet));
  const problems = (await Promise.all([...found, ...targets])).flat();
  const integrationIds = new Map<string, number>();
  for (const [key, { integration }] of Object.entries(subject.builds)) {
    const known = await orUnknownName(context.snapshot.integrations.find(integration));
    if (known instanceof UnknownNameError) {
      problems.push({ ...placeAt(subject.config, ["builds", key, "integration"]), reason: known.message });
    } else {
      integrationIds.set(key, known.id);
    }
  }
  const { idsByIntegration, ...overrides } = await overridesOnline(context, subject);
  return { problems: [...problems, ...overrides.problems], integrationIds, idsByIntegration };
}

/** Compares overrides with the tenants by the ids of the integrations. Without overrides, there is nothing to ask for. */
async function overridesOnline(
  context: OperationContext,
  { declarations, config }: PreflightSubject,
): Promise<Pick<Preflight, "problems" | "idsByIntegration">> {
  const { standalone, fleets, overrides } = declarations;
  const idsByIntegration = new Map<string | number, number>();
  const wanted = overrides.filter(({ integration }) => integration !== undefined);
  if (wanted.length === 0) return { problems: [], idsByIntegration };
  const declared = [...standalone.map(integrationOf), ...fleets.map(({ fleet }) => fleet.entry.integration)];
  for (const integration of new Set([...declared, ...wanted.map((override) => override.integration)])) {
    if (integration === undefined) continue;
    const known = await orUnknownName(context.snapshot.integrations.find(integration));
    if (!(known instanceof UnknownNameError)) idsByIntegration.set(integration, known.id);
  }
  // a tenant with a misspelt integration has that problem already
  const isComplete = declared.every((one) => one === undefined || idsByIntegration.has(one));
  const relationOf = relationById(idsByIntegration);
  return { problems: isComplete ? overrideProblems({ ...declarations, config }, relationOf) : [], idsByIntegration };
}

/** Whether the release exists to which a rollout takes the tenants. */
async function targetProblems(context: OperationContext, { node, entry }: FleetDeclaration): Promise<Problem[]> {
  const { build, ...release } = entry.defaults?.release ?? {};
  if (entry.integration === undefined || build !== undefined || !isOneWay(release)) return [];
  const integration = await orUnknownName(integrationScope(context, entry.integration));
  if (integration instanceof UnknownNameError) {
    return [{ ...placeAt(node, ["integration"]), reason: integration.message }];
  }
  const resolved = await orUnknownName(resolvedSettings(integration.releases, { release }));
  if (!(resolved instanceof UnknownNameError)) return [];
  const [way = ""] = Object.keys(release);
  return [{ ...placeAt(node, ["defaults", "release", way]), reason: unknownRelease(resolved, integration) }];
}

function unknownRelease({ message }: UnknownNameError, { record }: IntegrationScope): string {
  return message.replace("the integration has", `${record.name} has`);
}

/** The names that the stack declares, by the ids of the integrations. */
async function namesByIntegration(
  context: OperationContext,
  tenants: readonly NamedTenant[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const names = new Map<number, Set<string>>();
  for (const { integration, entry } of tenants) {
    const known = await orUnknownName(integrationScope(context, integration));
    if (known instanceof UnknownNameError) continue;
    names.set(known.id, (names.get(known.id) ?? new Set()).add(entry.name));
  }
  return names;
}

interface OtherDeclarations {
  /** Those before this one, by what tells them apart on the platform. */
  firstDeclarations: Map<string, NamedTenant>;
  declaredNames: ReadonlyMap<number, ReadonlySet<string>>;
}

/** A declared release; for that of a build, the release with the build's tag, which may not exist yet. */
function withTag({ builds }: PreflightSubject, declared: NamedTenant["target"]): TenantSettings["release"] {
  const tag = declared?.build === undefined ? undefined : builds[declared.build]?.tag;
  return tag === undefined ? declared : { tag };
}

/** The invalid values of a tenant that exists already. `validate` without the platform cannot know what it has. */
async function invalidExisting(integration: IntegrationScope, tenant: NamedTenant): Promise<Problem[]> {
  const mayExist = takesOver(tenant.adopt) || isLong(tenant.entry.name);
  if (!mayExist || valueProblems(tenant).length === 0) return [];
  const [live] = await existingTenants(integration, tenant);
  return valueProblems(tenant, live);
}

async function problemsOf(
  context: OperationContext,
  subject: PreflightSubject,
  tenant: NamedTenant,
  { firstDeclarations, declaredNames: namesByIntegration }: OtherDeclarations,
): Promise<Problem[]> {
  const { entry, fleet, node } = tenant;
  const integration = await orUnknownName(integrationScope(context, tenant.integration));
  if (integration instanceof UnknownNameError) {
    return [{ ...placeAt(fleet?.node ?? node, ["integration"]), reason: integration.message }];
  }
  // One declaration may name the integration, and the other give its id: here both have the id.
  const identity = tenantIdentity({ integration: integration.id, name: entry.name, adopt: entry.adopt });
  const first = firstDeclarations.get(identity);
  if (first !== undefined) return [{ ...node.place, reason: declaredTwice(entry.name, first) }];
  firstDeclarations.set(identity, tenant);
  const invalid = await invalidExisting(integration, tenant);
  if (invalid.length > 0) return invalid;
  const release = withTag(subject, entry.release);
  const resolved = await orUnknownName(resolvedSettings(integration.releases, { release }));
  if (!(resolved instanceof UnknownNameError)) {
    const { allowPlaintextSecrets } = subject;
    const declaredNames = namesByIntegration.get(integration.id) ?? new Set();
    const target = await orUnknownName(
      resolvedSettings(integration.releases, { release: withTag(subject, tenant.target) }),
    );
    if (target instanceof UnknownNameError) return []; // The fleet has the problem, once; or it is not built yet.
    const releases = { release: resolved.release, target: target.release };
    return schemaChecks({ context, integration, tenant, ...releases, allowPlaintextSecrets, declaredNames });
  }
  if (tenant.build !== undefined) return []; // it is not built yet
  const [way = ""] = Object.keys(entry.release ?? {});
  return [problemAt(tenant, ["release", way], unknownRelease(resolved, integration))];
}
