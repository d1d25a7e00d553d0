/** The name of a resource among the exports of `pulumi-integration-platform/provider`. */
export type ProviderName = "tenant" | "tenantMetadata" | "build" | "syncTrigger" | "tenantFleet" | "fleetRollout";

/**
 * The `__provider` property of a resource, which the official dynamic provider host runs to find the resource's code. It
 * never changes, so that the state never has outdated code. See docs/decisions/how-the-provider-is-found.md.
 */
export function providerText(member: ProviderName): string {
  return `exports.handler=()=>{let d=process.cwd(),r=require("module").createRequire(d+"/");return r(r.resolve("pulumi-integration-platform/provider",{paths:[d,process.argv[1]]})).${member}}`;
}
