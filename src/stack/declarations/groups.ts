import { didYouMean } from "../../inputs/did-you-mean.ts";
import { isJsonObject } from "../../json/json-value.ts";
import { type ConfigNode, partsOf } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";

/** The groups of a stack, for its tenants outside of fleets, or those of a fleet. */
export interface Groups {
  /** Groups that are encrypted. What does not fit the schema of a group is not among these. */
  problems: readonly Problem[];
  /**
   * The groups that a tenant names, in its order.
   *
   * @param declarations of the tenant. Where several name groups, the first one counts, as with all settings.
   */
  of(declarations: readonly ConfigNode[]): { layers: readonly ConfigNode[]; problems: readonly Problem[] };
}

/**
 * Reads the `groups` of a stack or of a fleet.
 *
 * @param name of the stack or the fleet in messages.
 */
export function readGroups(owner: ConfigNode, name: "this stack" | "this fleet"): Groups {
  const declared = owner.part("groups");
  const byName = new Map(partsOf(declared));
  const names = [...byName.keys()];
  // If they are encrypted or no object at all, that is the problem, and not that a tenant names one of them.
  const areKnown = declared === undefined || isJsonObject(declared.value);

  // a name such as `10` is a number in YAML
  const groupNamed = (name: unknown) => (typeof name === "object" ? undefined : byName.get(String(name)));

  const unknownGroup = (node: ConfigNode, group: string): Problem[] =>
    areKnown ? [{ ...node.place, reason: `is not a group of ${name}${didYouMean(group, names)}` }] : [];

  return {
    problems: [
      ...encryptedHere(declared, owner, encryptedGroup),
      ...[...byName.values()].flatMap((group) => encryptedHere(group, declared, encryptedGroup)),
    ],
    of: (declarations) => {
      const tenant = declarations.find((node) => node.part("groups") !== undefined);
      const own = tenant?.part("groups");
      const items = namesIn(own);
      const found = items.map((item) => ({ item, group: groupNamed(item.value) }));
      return {
        layers: found.flatMap(({ group = [] }) => group),
        problems: [
          ...encryptedHere(own, tenant, encryptedName),
          ...items.flatMap((item) => encryptedHere(item, own, encryptedName)),
          ...found.flatMap(({ item, group }) =>
            group === undefined && typeof item.value === "string" ? unknownGroup(item, item.value) : [],
          ),
        ],
      };
    },
  };
}

const encryptedGroup = "is encrypted as a whole: write the group in clear, and encrypt the secrets in it";
const encryptedName = "is encrypted: write the names of the groups in clear";

/** The parts of a tenant's `groups` that are names. */
function namesIn(groups: ConfigNode | undefined): ConfigNode[] {
  if (groups === undefined) return [];
  if (!Array.isArray(groups.value)) return [groups];
  return groups.value.flatMap((_, index) => groups.part(index) ?? []);
}

/** A problem if a part is encrypted, and not with all that is around it. In a file of tenants, every secret is a problem. */
function encryptedHere(part: ConfigNode | undefined, around: ConfigNode | undefined, reason: string): Problem[] {
  if (part?.source === "tenants file" || !part?.isSecret || around?.isSecret) return [];
  return [{ ...part.place, reason }];
}
