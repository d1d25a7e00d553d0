import { z } from "zod";
import { nearest } from "../nearest.ts";
import { nameProblem } from "../resources/tenant/name.ts";
import { scheduleProblem } from "../resources/tenant/schedule.ts";
import type { Problem } from "./problems.ts";
import { type TenantEntry, tenantEntrySchema } from "./schema.ts";
import { declaredAt } from "./tenants.ts";

const { integration, name, schedule, adopt, release } = tenantEntrySchema.shape;

/** What can be read of an entry, whatever is wrong with the rest. */
const readableEntrySchema = z
  .object({
    integration: integration.catch(undefined),
    name: name.catch(undefined),
    schedule: schedule.catch(undefined),
    adopt: adopt.catch(undefined),
    release: release.catch(undefined),
  })
  .catch({});
const readableEntriesSchema = z.record(z.string(), readableEntrySchema).catch({});

/** What is wrong with tenants beyond the shape of each, as far as what is right can be read. */
export function crossChecks(config: { tenants?: unknown; tenantDefaults?: unknown; builds?: unknown }): Problem[] {
  const builds = Object.keys(Object(config.builds));
  const defaults = readableEntrySchema.parse(config.tenantDefaults);
  const keyByTenant = new Map<string, string>();
  return Object.entries(readableEntriesSchema.parse(config.tenants)).flatMap(([key, own]) => {
    const entry = { ...defaults, ...own, name: own.name ?? key };
    if (entry.integration === undefined) {
      return [{ path: ["tenants", key], reason: "has no integration: give it here or in tenantDefaults" }];
    }
    // several live tenants may bear one name: then their ids tell them apart
    const identity = JSON.stringify(typeof entry.adopt === "number" ? entry.adopt : [entry.integration, entry.name]);
    const other = keyByTenant.get(identity);
    keyByTenant.set(identity, other ?? key);
    const schedulePath = declaredAt(key, own, defaults, ["schedule"]);
    return [
      ...(mayBeOdd(entry.adopt)
        ? []
        : textProblem(nameProblem(entry.name), ["tenants", key, ...(own.name ? ["name"] : [])])),
      ...(mayBeOdd(entry.adopt) ? [] : textProblem(entry.schedule && scheduleProblem(entry.schedule), schedulePath)),
      ...textProblem(buildProblem(entry.release?.build, builds), declaredAt(key, own, defaults, ["release", "build"])),
      ...textProblem(other && `declares the tenant "${entry.name}" again: ${other} does already`, ["tenants", key]),
    ];
  });
}

/** A tenant that is taken over may bear a name and a schedule that a new one could not. */
function mayBeOdd(adopt: TenantEntry["adopt"]): boolean {
  return adopt === true || typeof adopt === "number";
}

function buildProblem(build: string | undefined, known: readonly string[]) {
  return build === undefined || known.includes(build) ? undefined : `is not a key of builds${nearest(build, known)}`;
}

function textProblem(reason: string | undefined, path: Problem["path"]): Problem[] {
  return reason ? [{ path, reason }] : [];
}
