/** What a URN says: `urn:pulumi:<stack>::<project>::<types of the parents>$<type>::<name>`. */
interface Urn {
  stack: string;
  /** The type token of the resource. */
  type: string;
  name: string;
  /** The name that is unique among resources of one type: see `logicalName` of `src/resources/pulumi/logical-name.ts`. */
  logicalName: string;
}

export function parseUrn(urn: string): Urn {
  const [before = "", , types = "", ...names] = urn.split("::");
  const name = names.join("::"); // a name may contain the separator
  const parents = types.split("$");
  const type = parents.pop() ?? "";
  return {
    stack: before.split(":").at(-1) ?? "",
    type,
    name,
    logicalName: parents.length === 0 ? name : `${parents.join("$")}$${name}`,
  };
}
