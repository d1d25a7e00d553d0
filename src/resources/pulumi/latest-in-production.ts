import * as pulumi from "@pulumi/pulumi";
import { latestInProduction } from "../latest-in-production.ts";
import type { ProviderChoice } from "./type-token.ts";

/** The stacks that have been warned of. An inline program may run for several. */
const warned = new Set<string>();

/**
 * Warns once if a tenant of a production stack follows the channel `Latest`. The plugin warns of its resources itself, as programs of
 * other languages do not run this.
 *
 * @param args see {@link latestInProduction}. An output of another resource is not known yet.
 */
export function warnOfLatestInProduction(provider: ProviderChoice, args: object): void {
  const stack = pulumi.getStack();
  const warning = provider === "native" || warned.has(stack) ? undefined : latestInProduction(stack, args);
  if (warning === undefined) return;
  warned.add(stack);
  pulumi.log.warn(warning);
}
