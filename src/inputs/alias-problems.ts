/** A declaration with the keys that it had before. */
export interface Aliased {
  key: string;
  aliases?: readonly unknown[] | undefined;
}

/** An alias that cannot be a former key. */
export interface AliasProblem {
  /** The key of its declaration. */
  key: string;
  /** The position of the alias in the list. */
  index: number;
  reason: string;
}

/**
 * The aliases that would take the place of another declaration. Aliases that are not known yet in a preview are skipped.
 *
 * @param kind what the declarations are, for messages.
 */
export function aliasProblems(declarations: readonly Aliased[], kind: "tenant" | "fleet"): AliasProblem[] {
  const keys = new Set<unknown>(declarations.map(({ key }) => key));
  const firstUses = new Map<string, string>();
  return declarations.flatMap(({ key, aliases = [] }) =>
    aliases.flatMap((alias, index): AliasProblem[] => {
      if (typeof alias !== "string") return [];
      const first = firstUses.get(alias);
      firstUses.set(alias, first ?? key);
      if (keys.has(alias)) {
        const reason = `"${alias}" is still the key of a ${kind}; an alias is a key that a ${kind} had before`;
        return [{ key, index, reason }];
      }
      if (first === undefined) return [];
      return [
        { key, index, reason: `"${alias}" is an alias of "${first}" already; only one ${kind} can have had this key` },
      ];
    }),
  );
}
