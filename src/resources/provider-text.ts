/** The name of a resource among the exports of `pulumi-integration-platform/provider`. */
export type ProviderName = "tenant" | "tenantMetadata" | "build" | "syncTrigger" | "tenantFleet";

/**
 * The `__provider` property of a resource: what the official dynamic provider host runs to find the resource's code. It
 * is the same for ever, so that the state never holds stale code; it loads this package from the folder of the program.
 */
export function providerText(member: ProviderName): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-integration-platform/provider").${member}`;
}
