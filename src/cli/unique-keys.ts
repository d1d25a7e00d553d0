/** What has a name of somebody's choice, and an id that nothing else of its kind has. */
interface Named {
  id: number;
  name: string;
}

/**
 * A key for each, no two alike: its name, with its id where others bear the same name, or one that would be the same, or
 * where JavaScript would lose what is kept under it.
 */
export function uniqueKeys(all: readonly Named[]): (named: Named) => string {
  const bearers = Map.groupBy(all, ({ name }) => name);
  const withId = (name: string, id: number): string =>
    bearers.has(`${name}-${id}`) ? withId(`${name}-${id}`, id) : `${name}-${id}`;
  return ({ name, id }) => (bearers.get(name)?.length === 1 && name !== "__proto__" ? name : withId(name, id));
}
