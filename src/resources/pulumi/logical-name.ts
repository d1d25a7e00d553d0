import type * as pulumi from "@pulumi/pulumi";

/**
 * The name that is unique among resources of one type, like the URN: the resource's name after the types of its parents, if
 * any. It replaces the URN, which the dynamic provider host does not pass on.
 */
export function logicalName(name: string, { parent }: pulumi.ResourceOptions): pulumi.Input<string> {
  if (parent === undefined) return name;
  // a promise, because an output of the parent would make the resource wait for all other children of the parent
  return new Promise((resolve) => {
    parent.urn.apply((urn) => {
      const types = urn.split("::")[2] ?? "";
      resolve(types === "pulumi:pulumi:Stack" ? name : `${types}$${name}`);
    });
  });
}

/** The logical name, or `undefined` if it surely equals the declared name, so that most states don't have it. */
export function logicalNameUnless(
  declared: pulumi.Input<string> | undefined,
  name: string,
  options: pulumi.ResourceOptions,
): pulumi.Input<string> | undefined {
  const isDeclared = declared === undefined || declared === name;
  return isDeclared && options.parent === undefined ? undefined : logicalName(name, options);
}
