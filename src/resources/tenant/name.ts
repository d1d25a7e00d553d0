/** Why a text cannot name a new tenant (specification, CreateTenant). Names of existing tenants are left alone. */
export function nameProblem(name: string): string | undefined {
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) return undefined;
  return 'must be lowercase letters, digits and "-", with "-" neither first nor last';
}
