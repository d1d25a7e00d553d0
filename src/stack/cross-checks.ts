import { z } from "zod";
import { nearest } from "../nearest.ts";
import { nameProblem } from "../resources/tenant/name.ts";
import { scheduleProblem } from "../resources/tenant/schedule.ts";
import type { TenantDeclaration } from "./declarations.ts";
import { decisive, merged } from "./layers.ts";
import type { Problem } from "./problems.ts";
import { type TenantEntry, tenantEntrySchema } from "./schema.ts";

const { integration, name, schedule, adopt, release } = tenantEntrySchema.shape;

/** What can be read of an entry, whatever is wrong with the rest. */
const readableEntrySchema = z.object({
  integration: integration.catch(undefined),
  name: name.catch(undefined),
  schedule: schedule.catch(undefined),
  adopt: adopt.catch(undefined),
  release: release.catch(undefined),
});

/** What is wrong with tenants beyond the shape of each, as far as what is right can be read. */
export function crossChecks(tenants: readonly TenantDeclaration[], builds: readonly string[]): Problem[] {
  const declaredBefore = new Map<string, TenantDeclaration>();
  return tenants.flatMap((tenant): Problem[] => {
    const { key, fleet, layers } = tenant;
    const own = readableEntrySchema.parse(merged(layers));
    const { integration = own.integration, adopt } = readableEntrySchema.parse(fleet?.layer.value ?? {});
    const entry = { ...own, integration, adopt: own.adopt ?? adopt };
    const here = layers[0].placeOf([]);
    if (entry.integration === undefined) {
      return fleet === undefined ? [{ ...here, reason: "has no integration: give it here or in tenantDefaults" }] : [];
    }
    const problem = (path: readonly string[], reason: string | undefined): Problem[] =>
      reason ? [{ ...decisive(layers, path).placeOf(path), reason }] : [];
    const named = entry.name ?? key;
    // several live tenants may bear one name: then their ids tell them apart
    const identity = JSON.stringify(typeof entry.adopt === "number" ? entry.adopt : [entry.integration, named]);
    const other = declaredBefore.get(identity);
    declaredBefore.set(identity, other ?? tenant);
    return [
      ...(mayBeOdd(entry.adopt) ? [] : problem(entry.name ? ["name"] : [], nameProblem(named))),
      ...(mayBeOdd(entry.adopt) ? [] : problem(["schedule"], entry.schedule && scheduleProblem(entry.schedule))),
      ...problem(["release", "build"], buildProblem(entry.release?.build, builds)),
      ...(other ? [{ ...here, reason: declaredTwice(named, other) }] : []),
    ];
  });
}

/** How a message calls the other of two declarations of one tenant. */
export function declaredTwice(name: string, { key, fleet }: Pick<TenantDeclaration, "key" | "fleet">): string {
  return `declares the tenant "${name}" again: ${key}${fleet ? ` of fleet ${fleet.key}` : ""} does already`;
}

/** A tenant that is taken over may bear a name and a schedule that a new one could not. */
function mayBeOdd(adopt: TenantEntry["adopt"]): boolean {
  return adopt === true || typeof adopt === "number";
}

function buildProblem(build: string | undefined, known: readonly string[]) {
  return build === undefined || known.includes(build) ? undefined : `is not a key of builds${nearest(build, known)}`;
}
