/**
 * The message about a resource whose integration is declared by a name that is now the name of another one. A replacement would
 * archive its tenants, although the program has not changed.
 *
 * @param what the resource, such as `tenant "acme" (id 5001)`.
 * @param state its integration as it was declared, and the id that this name had.
 * @param otherId the id that it has now.
 */
export function describeRenamedIntegration(
  what: string,
  { integration, integrationId }: { integration: string | number; integrationId: number },
  otherId: number,
): string {
  return (
    `${what} is of integration ${integrationId}, but "${integration}" is now the name of integration ${otherId}. ` +
    `To keep it, declare integration: ${integrationId}. To replace it, declare integration: ${otherId}`
  );
}
