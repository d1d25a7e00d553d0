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
