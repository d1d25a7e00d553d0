/** What a URN says: `urn:pulumi:<stack>::<project>::<types of the parents>$<type>::<name>`. */
interface Urn {
  /** The type token of the resource. */
  type: string;
  name: string;
  /** The name that is unique among resources of one type: see `logicalName` of `src/resources/pulumi/logical-name.ts`. */
  logicalName: string;
}

export function parseUrn(urn: string): Urn {
  const [, , types = "", ...names] = urn.split("::");
  const name = names.join("::"); // a name may contain the separator
  const parents = types.split("$");
  const type = parents.pop() ?? "";
  return { type, name, logicalName: parents.length === 0 ? name : `${parents.join("$")}$${name}` };
}
