/**
 * Says which tenant a declaration means: two declarations with the same identity mean the same tenant. Several live tenants of
 * an integration may have one name. Then the ids to adopt tell them apart.
 *
 * @param integration its id; where only one of its name or id is known, what is known.
 */
export function tenantIdentity({
  integration,
  name,
  adopt,
}: {
  integration: string | number;
  name: string | undefined;
  adopt?: unknown;
}): string {
  return JSON.stringify(typeof adopt === "number" ? [adopt] : [integration, name]);
}
