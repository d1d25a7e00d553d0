import * as pulumi from "@pulumi/pulumi";

const isProduction = /(^|[^a-z])prod(uction)?([^a-z]|$)/i;
/** The stacks that have been warned of. An inline program may run for several. */
const warned = new Set<string>();

/**
 * Warns once if a tenant of a production stack follows the channel `Latest`. Nobody else knows what a stack is for, so its name
 * says so: `production`, `prod-eu`.
 *
 * @param releases the declared releases. An output of another resource is not known yet.
 */
export function warnOfLatestInProduction(releases: readonly unknown[]): void {
  const stack = pulumi.getStack();
  const isLatest = (release: unknown) => Object(release).channel === "Latest";
  if (!isProduction.test(stack) || warned.has(stack) || !releases.some(isLatest)) return;
  warned.add(stack);
  pulumi.log.warn(
    `stack ${stack} has tenants on the channel Latest: each push to the integration's tracking branch makes a release, and they run ` +
      "it at once, without an up and without a review. Declare a tag, or let a rollout move them",
  );
}
