import * as pulumi from "@pulumi/pulumi";

type AliasInput = pulumi.Input<pulumi.URN | pulumi.Alias>;

/** The type tokens of a resource: its own, and that of the same resource under the other provider. */
interface Tokens {
  own: string;
  other: string;
}

/**
 * The aliases of a resource that may have been of the other provider: the program's own, and each of them with the other
 * provider's type. Pulumi combines a resource's aliases with its parent's, but not with each other, so a resource that is
 * renamed and moved in one `up` would be a new one.
 */
export function aliasesAcrossProviders(given: readonly AliasInput[], tokens: Tokens): AliasInput[] {
  return [...given, { type: tokens.other }, ...given.map((alias) => inOther(alias, tokens))];
}

function inOther(alias: AliasInput, tokens: Tokens): AliasInput {
  if (!pulumi.Output.isInstance(alias) && !(alias instanceof Promise)) return withOtherType(alias, tokens);
  return pulumi.output<pulumi.URN | pulumi.Alias>(alias).apply((known) => withOtherType(known, tokens));
}

function withOtherType(alias: pulumi.URN | pulumi.Alias, { own, other }: Tokens): pulumi.URN | pulumi.Alias {
  // in a URN, the type comes after the types of the parents, and before the name
  if (typeof alias === "string") return alias.replace(`${own}::`, `${other}::`);
  return { ...alias, type: alias.type ?? other };
}
