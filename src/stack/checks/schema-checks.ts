import type { Release, Tenant } from "../../api/index.ts";
import { formatPath } from "../../json/key-path.ts";
import { isUnknown } from "../../json/unknown.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { releaseSchemas } from "../../operation/release-schemas.ts";
import { type ResolvedRelease, releaseToRun } from "../../settings/release.ts";
import { type SchemaFailure, schemaFailures } from "../../settings/schema-failures.ts";
import { keysEntries } from "../../settings/table.ts";
import { type Problem, problemAt } from "../config/problems.ts";
import type { NamedTenant } from "../declarations/named-tenant.ts";
import { takesOver } from "./cross-checks.ts";
import { plaintextSecrets } from "./plaintext-secrets.ts";

/** A tenant of the stack, to check against the schemas of the release that it is going to run. */
export interface SchemaCheck {
  context: OperationContext;
  integration: IntegrationScope;
  tenant: NamedTenant;
  /** The declared release. */
  release: ResolvedRelease | undefined;
  /** The release to which a rollout takes the tenant. It runs another one until then. */
  target: ResolvedRelease | undefined;
  /** Settings that may be plaintext although the release's schema marks them as secrets. */
  allowPlaintextSecrets: readonly string[];
  /** The names that the stack declares for tenants of this integration. */
  declaredNames: ReadonlySet<string>;
}

/** With more tenants than this that may be renamed, only values are refused that do not fit the declared release. */
const comparedMaximum = 200;

/**
 * Where the configs and metadata of a tenant do not fit the schemas, and which of them must be secrets. Tenants are only read
 * if something does not fit a new tenant, or if the options of an existing one decide what may be chosen.
 */
export async function schemaChecks(check: SchemaCheck): Promise<Problem[]> {
  const { context, integration, tenant, release, target, allowPlaintextSecrets } = check;
  const ofNew = await releaseToRun(integration.releases, integration.record, release ?? target);
  const schemas = releaseSchemas(context, ofNew);
  const plaintext = plaintextSecrets(tenant.node, schemas, allowPlaintextSecrets);
  const asNew = failuresOf(check, ofNew, {});
  const hasChoices = keysEntries.some(
    ([property, { schemaOf }]) => schemaOf(schemas).dynamicChoices(tenant.entry[property] ?? {}).length > 0,
  );
  const meant = asNew.length > 0 || hasChoices ? await meantTenants(check) : { existing: [], mayBeNew: true };
  return [...plaintext, ...(await failuresOfAll(check, ofNew, meant, asNew))];
}

/** The tenants that a declaration may mean. With neither, nothing is known of its tenant. */
interface MeantTenants {
  existing: readonly Tenant[];
  mayBeNew: boolean;
}

/** Which tenants a declaration may mean: those of its name, otherwise a new one or one that `up` renames. */
async function meantTenants({ integration, tenant, target, declaredNames }: SchemaCheck): Promise<MeantTenants> {
  const existing = await existingTenants(integration, tenant);
  // the check of its resource says that the tenant to take over does not exist
  if (existing.length > 0 || takesOver(tenant.adopt)) return { existing, mayBeNew: false };
  const all = [...(await integration.tenants.all()).values()];
  // a rollout creates a new tenant on the release from before, which only the state knows
  const isInRunningRollout = target !== undefined && all.some(({ name }) => declaredNames.has(name));
  if (isInRunningRollout) return { existing: [], mayBeNew: false };
  const others = isPerhapsRenamed(tenant) ? all.filter(({ name }) => !declaredNames.has(name)) : [];
  return { existing: others, mayBeNew: true };
}

/** The live tenants that a declaration means: the one that it adopts by its id, or those of its name. */
export async function existingTenants(
  { tenants }: IntegrationScope,
  { adopt, entry }: Pick<NamedTenant, "adopt" | "entry">,
): Promise<Tenant[]> {
  if (typeof adopt !== "number") return tenants.named(entry.name);
  const found = await tenants.get(adopt);
  return found === undefined ? [] : [found];
}

/** Whether up may rename a tenant to this one, which only the state knows: its name is not its key, or its key has changed. */
function isPerhapsRenamed({ key, entry }: NamedTenant): boolean {
  return entry.name !== key || (entry.aliases ?? []).length > 0;
}

/**
 * The failures that the declaration has with each of the tenants that it may mean, so that it can be applied to none of them.
 *
 * @param asNew its failures as a new tenant.
 */
async function failuresOfAll(
  check: SchemaCheck,
  ofNew: Release | undefined,
  { existing, mayBeNew }: MeantTenants,
  asNew: readonly Problem[],
): Promise<readonly Problem[]> {
  const { releases, record } = check.integration;
  if (mayBeNew && existing.length > comparedMaximum) {
    return check.release === undefined ? [] : failuresOf(check, ofNew, { isNew: false });
  }
  let common = mayBeNew ? asNew : undefined;
  for (const tenant of existing) {
    if (common?.length === 0) break;
    const runs = await releaseToRun(releases, record, undefined, tenant);
    const next = check.release === undefined ? runs : ofNew;
    const failures = failuresOf(check, next, { existing: tenant, runs, isSameRelease: runs?.id === next?.id });
    const paths = new Set(failures.map(({ path }) => formatPath(path)));
    common = common?.filter(({ path }) => paths.has(formatPath(path))) ?? failures;
  }
  return common ?? [];
}

/** The tenant of a declaration: a new one, an existing one, or one that is not known. */
interface Target {
  existing?: Tenant;
  /** The release that it runs; undefined if it is not known. */
  runs?: Release | undefined;
  isSameRelease?: boolean;
  isNew?: boolean;
}

function failuresOf(
  { context, integration, tenant, release: declaredRelease }: SchemaCheck,
  release: Release | undefined,
  { existing, runs: runsRelease, isSameRelease = false, isNew = existing === undefined }: Target,
): Problem[] {
  const schemas = releaseSchemas(context, release);
  const failures = keysEntries.flatMap(([property, { schemaOf, live, createFields }]): SchemaFailure[] => {
    const declared = tenant.entry[property];
    if (isUnknown(tenant.node.part(property)?.value)) return []; // all of it is encrypted
    const isMetadata = createFields === undefined;
    // Metadata are not read here, and what somebody else has written there may be missing in the declaration.
    if (isMetadata && (declared === undefined || (existing && declaredRelease === undefined))) return [];
    const liveKeys = existing && (isMetadata ? undefined : live({ tenant: existing, metadata: {} }));
    const schemaViolations = tenant.schemaViolations ?? context.schemaViolations;
    const dynamicConfigs = existing?.status?.dynamic_configs;
    const schema = schemaOf(schemas);
    const candidate = { property, schema, declared: declared ?? {}, isSameRelease, schemaViolations, dynamicConfigs };
    const runs = runsRelease && schemaOf(releaseSchemas(context, runsRelease));
    const found = schemaFailures({ ...candidate, live: isNew ? {} : liveKeys, isNew, runs });
    // Whether an update removes what only the tenant has is known to the check of its resource.
    return found.filter(
      ({ path: [, key = ""] }) => Object.hasOwn(declared ?? {}, key) || !Object.hasOwn(liveKeys ?? {}, key),
    );
  });
  const schema = `${integration.record.name} ${release?.tag || release?.name || ""}`.trim();
  return failures.map(({ path, reason, severity }) => {
    return { ...problemAt(tenant, path, reason), schema, isWarning: severity === "warning" };
  });
}
