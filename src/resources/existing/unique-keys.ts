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

/** The id that a user wrote to import a resource has a wrong form. */
export class ImportIdError extends Error {
  override readonly name = "ImportIdError";

  /**
   * @param kind the resource's class.
   * @param form what the id must be, such as `the id of the tenant, such as 5001`.
   */
  constructor(kind: string, id: string, form: string) {
    super(`"${id}" is not an id with which a ${kind} can be imported. Write ${form}`);
  }
}

/** The whole number above 0 that a string holds; `undefined` if it holds none that JSON can hold exactly. */
export function parseRecordId(text: string): number | undefined {
  const id = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
