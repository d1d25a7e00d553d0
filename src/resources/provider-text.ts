/**
 * The `__provider` property of a resource: what the official dynamic provider host runs to find the resource's code. It
 * is the same for ever, so that the state never holds stale code; it loads this package from the folder of the program.
 *
 * @param member the name of the resource among the exports of `pulumi-integration-platform/provider`.
 */
export function providerText(member: "tenant" | "tenantMetadata" | "build" | "syncTrigger" | "tenantFleet"): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-integration-platform/provider").${member}`;
}
