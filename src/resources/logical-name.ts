import type * as pulumi from "@pulumi/pulumi";

/**
 * What tells a resource from others of its type, as its URN does: its name, after the types of its parents where it has
 * any. The dynamic provider host hands no URN over.
 */
export function logicalName(name: string, { parent }: pulumi.ResourceOptions): pulumi.Input<string> {
  if (parent === undefined) return name;
  // a promise, as an output of the parent would make the resource wait for all other children of the parent
  return new Promise((resolve) => {
    parent.urn.apply((urn) => {
      const types = urn.split("::")[2] ?? "";
      resolve(types === "pulumi:pulumi:Stack" ? name : `${types}$${name}`);
    });
  });
}

/** The same, `undefined` where it is the name that the resource declares: most states are without it. */
export function logicalNameUnless(
  declared: pulumi.Input<string> | undefined,
  name: string,
  options: pulumi.ResourceOptions,
): pulumi.Input<string> | undefined {
  const isDeclared = declared === undefined || declared === name;
  return isDeclared && options.parent === undefined ? undefined : logicalName(name, options);
}
