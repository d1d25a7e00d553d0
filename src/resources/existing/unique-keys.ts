interface Named {
  id: number;
  name: string;
}

/** An order by name, in code units, so that it is the same on every machine; namesakes by id. */
export function byName(left: Named, right: Named): number {
  if (left.name === right.name) return left.id - right.id;
  return left.name < right.name ? -1 : 1;
}

/**
 * A different key for each: its name, or its name and id if others have the same name or if that key is taken.
 * JavaScript would lose an entry with the key `__proto__`, and YAML merge one with the key `<<`, so these names get the id too.
 */
export function uniqueKeys(all: readonly Named[]): (named: Named) => string {
  const namesakes = Map.groupBy(all, ({ name }) => name);
  const withId = (name: string, id: number): string =>
    namesakes.has(`${name}-${id}`) ? withId(`${name}-${id}`, id) : `${name}-${id}`;
  return ({ name, id }) => (namesakes.get(name)?.length === 1 && !unusable.includes(name) ? name : withId(name, id));
}

const unusable: readonly string[] = ["__proto__", "<<"];
