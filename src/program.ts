import type * as pulumi from "@pulumi/pulumi";
import { Tenant } from "./index.ts";
import { preflight, readStack } from "./stack/index.ts";

const stack = readStack();
await preflight(stack);

/** The tenants' ids, by their keys in the stack's YAML. */
export const tenants: Record<string, pulumi.Output<number>> = {};
for (const { key, args, options } of stack.tenants) {
  tenants[key] = new Tenant(key, args, options).tenantId;
}
