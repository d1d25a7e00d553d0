import * as pulumi from "@pulumi/pulumi";
import { checkpointsOf, withCheckpoints } from "../../connection/checkpoints.ts";
import { packageName, resourceTypeOf } from "./type-token.ts";

/** The stacks whose resources are looked at. An inline program may run for several. */
const watched = new WeakSet<pulumi.Resource>();

/**
 * Refuses resources of other providers, from now on, in a program whose engine leaves out its checkpoints: a killed command
 * forgets them, and the next one creates them a second time. Does nothing outside of a program, and with checkpoints.
 */
export function refuseOtherProviders(): void {
  if (!checkpointsOf(process.env).areLeftOut) return;
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || watched.has(stack)) return;
  watched.add(stack);
  pulumi.runtime.registerStackTransformation(({ resource, type, name, opts }) => {
    // it is under construction, so CustomResource.isInstance does not know it yet; what is only read has an id
    const isCreated = resource instanceof pulumi.CustomResource && opts.id === undefined;
    if (!isCreated || isOurs(type)) return undefined;
    throw new Error(
      `${name} (${type}) is a resource of another provider: a killed command would forget it, and the next one would create it ` +
        `a second time. ${withCheckpoints}, or put the tenants into a stack of their own`,
    );
  });
}

function isOurs(type: string): boolean {
  return resourceTypeOf(type) !== undefined || type === `pulumi:providers:${packageName}`;
}
