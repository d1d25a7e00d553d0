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
 * Where the configs and metadata of a tenant do not fit the schemas, and which of them must be secrets. Only if something
 * does not fit a new tenant, this reads whether the tenant exists, perhaps under another name: it may run another release
 * and have other configs. So does a new tenant of a rollout, unless the rollout's fleet is new too.
 */
export async function schemaChecks(check: SchemaCheck): Promise<Problem[]> {
  const { context, integration, tenant, release, target, allowPlaintextSecrets, declaredNames } = check;
  const ofNew = await releaseToRun(integration.releases, integration.record, release ?? target);
  const schemas = releaseSchemas(context, ofNew);
  const plaintext = plaintextSecrets(tenant.node, schemas, allowPlaintextSecrets);
  const asNew = failuresOf(check, ofNew, {});
  if (asNew.length === 0) return plaintext;
  const existing = await existingTenants(integration, tenant);
  if (existing.length > 0) return [...plaintext, ...(await failuresOfAll(check, ofNew, existing))];
  if (takesOver(tenant.adopt)) return plaintext; // the check of its resource says that there is none
  const all = [...(await integration.tenants.all()).values()];
  // A rollout creates a new tenant on the release from before, which only the state knows.
  if (target !== undefined && all.some(({ name }) => declaredNames.has(name))) return plaintext;
  const mayBeRenamed = isPerhapsRenamed(tenant) ? all.filter(({ name }) => !declaredNames.has(name)) : [];
  if (mayBeRenamed.length <= comparedMaximum) {
    return [...plaintext, ...(await failuresOfAll(check, ofNew, mayBeRenamed, asNew))];
  }
  return [...plaintext, ...(release === undefined ? [] : failuresOf(check, ofNew, { isNew: false }))];
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
 * The failures that the declaration has with each of these tenants, so that it cannot be applied to any of them.
 *
 * @param first failures to begin with.
 */
async function failuresOfAll(
  check: SchemaCheck,
  ofNew: Release | undefined,
  tenants: readonly Tenant[],
  first?: readonly Problem[],
): Promise<readonly Problem[]> {
  const { releases, record } = check.integration;
  let common = first;
  for (const existing of tenants) {
    if (common?.length === 0) break;
    const runs = await releaseToRun(releases, record, undefined, existing);
    const next = check.release === undefined ? runs : ofNew;
    const failures = failuresOf(check, next, { existing, runs, isSameRelease: runs?.id === next?.id });
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
    const candidate = { property, schema: schemaOf(schemas), declared: declared ?? {}, isSameRelease };
    const runs = runsRelease && schemaOf(releaseSchemas(context, runsRelease));
    const found = schemaFailures({ ...candidate, live: isNew ? {} : liveKeys, isNew, runs });
    // Whether an update removes what only the tenant has is known to the check of its resource.
    return found.filter(
      ({ path: [, key = ""] }) => Object.hasOwn(declared ?? {}, key) || !Object.hasOwn(liveKeys ?? {}, key),
    );
  });
  const schema = `${integration.record.name} ${release?.tag || release?.name || ""}`.trim();
  return failures.map(({ path, reason }) => ({ ...problemAt(tenant, path, reason), schema }));
}
