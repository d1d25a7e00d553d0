const isProduction = /(^|[^a-z])prod(uction)?([^a-z]|$)/i;

/**
 * The warning of a production stack that has tenants on the channel `Latest`; `undefined` if it has none. Nobody else knows what a
 * stack is for, so its name says so: `production`, `prod-eu`.
 *
 * @param inputs those of a `Tenant` or a `TenantFleet`. What is not known yet counts as another release.
 */
export function latestInProduction(stack: string, inputs: object): string | undefined {
  const { release, tenants } = Object(inputs);
  const releases = [release, ...Object.values(Object(tenants)).map((tenant) => Object(tenant).release)];
  const isLatest = releases.some((one) => Object(one).channel === "Latest");
  if (!isLatest || !isProduction.test(stack)) return undefined;
  return (
    `stack ${stack} has tenants on the channel Latest: each push to the integration's tracking branch makes a release, and they run ` +
    "it at once, without an up and without a review. Declare a tag, or let a rollout move them"
  );
}
