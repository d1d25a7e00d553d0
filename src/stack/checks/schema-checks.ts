import type { Release, Tenant } from "../../api/index.ts";
import { isUnknown } from "../../json/unknown.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
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
  /** Settings that may be plaintext although the release's schema marks them as secrets. */
  allowPlaintextSecrets: readonly string[];
}

/**
 * Where the configs and metadata of a tenant do not fit the schemas, and which of them must be secrets. Only if something
 * does not fit a new tenant, this reads whether the tenant exists: it may run another release and have other configs.
 */
export async function schemaChecks(check: SchemaCheck): Promise<Problem[]> {
  const { context, integration, tenant, release, allowPlaintextSecrets } = check;
  const ofNew = await releaseToRun(integration.releases, integration.record, release);
  const schemas = { configs: context.configSchemaOf(ofNew), metadata: context.metadataSchemaOf(ofNew) };
  const plaintext = plaintextSecrets(tenant.node, schemas, allowPlaintextSecrets);
  // A tenant that is taken over may have had for long what does not fit.
  if (takesOver(tenant.adopt)) return plaintext;
  const asNew = failuresOf(check, ofNew, {});
  if (asNew.length === 0) return plaintext;
  const [existing] = await integration.tenants.named(tenant.entry.name);
  if (existing === undefined) return [...plaintext, ...asNew];
  const runs = await releaseToRun(integration.releases, integration.record, undefined, existing);
  const next = release === undefined ? runs : ofNew;
  return [...plaintext, ...failuresOf(check, next, { existing, isSameRelease: runs?.id === next?.id })];
}

function failuresOf(
  { context, integration, tenant, release: declaredRelease }: SchemaCheck,
  release: Release | undefined,
  { existing, isSameRelease = false }: { existing?: Tenant; isSameRelease?: boolean },
): Problem[] {
  const schemas = { configs: context.configSchemaOf(release), metadata: context.metadataSchemaOf(release) };
  const failures = keysEntries.flatMap(([property, { schemaOf, live, createFields }]): SchemaFailure[] => {
    const declared = tenant.entry[property];
    if (isUnknown(tenant.node.part(property)?.value)) return []; // all of it is encrypted
    const isMetadata = createFields === undefined;
    // Metadata are not read here, and what somebody else has written there may be missing in the declaration.
    if (isMetadata && (declared === undefined || (existing && declaredRelease === undefined))) return [];
    const liveKeys = existing && (isMetadata ? undefined : live({ tenant: existing, metadata: {} }));
    const candidate = { property, schema: schemaOf(schemas), declared: declared ?? {}, isSameRelease };
    const found = schemaFailures({ ...candidate, live: existing ? liveKeys : {} });
    // Whether an update removes what only the tenant has is known to the check of its resource.
    return found.filter(
      ({ path: [, key = ""] }) => Object.hasOwn(declared ?? {}, key) || !Object.hasOwn(liveKeys ?? {}, key),
    );
  });
  const schema = `${integration.record.name} ${release?.tag || release?.name || ""}`.trim();
  return failures.map(({ path, reason }) => ({ ...problemAt(tenant, path, reason), schema }));
}
