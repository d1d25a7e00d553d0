/** The name of a resource among the exports of `pulumi-integration-platform/provider`. */
export type ProviderName = "tenant" | "tenantMetadata" | "build" | "syncTrigger" | "tenantFleet";

/**
 * The `__provider` property of a resource: what the official dynamic provider host runs to find the resource's code. It
 * is the same for ever, so that the state never holds stale code; docs/decisions/how-the-provider-is-found.md says where
 * it looks.
 */
export function providerText(member: ProviderName): string {
  return `exports.handler=()=>{let d=process.cwd(),r=require("module").createRequire(d+"/");return r(r.resolve("pulumi-integration-platform/provider",{paths:[d,process.argv[1]]})).${member}}`;
}
