import type { Failure } from "../../inputs/input-schema.ts";
import { formatPath, valueAt } from "../../json/key-path.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { releaseRefOf, selectorOf } from "../fleet-rollout/release-ref.ts";
import { targetProblems } from "../fleet-rollout/strategy-problems.ts";
import type { NewTenants } from "../tenant/create.ts";
import { entryAt } from "./entry.ts";
import type { RolloutTarget } from "./make-plan.ts";
import { type DeclaredRollout, isPinned, knownRollout, membershipOf } from "./rollout.ts";
import { targetOf } from "./rollout-outlook.ts";
import { rolloutTargetSchema } from "./schema.ts";

/** What the check of a fleet knows of its rollout. */
export interface CheckedRollout {
  rollout: DeclaredRollout;
  target: RolloutTarget;
  integration: IntegrationScope;
}

/**
 * The invalid inputs of a fleet's rollout. The fleet's inputs have the right shape.
 *
 * @returns `known` is `undefined` if there is no rollout, or a preview does not know all of it.
 */
export async function checkRollout(
  context: OperationContext,
  fleet: object,
): Promise<{ failures: Failure[]; known?: CheckedRollout }> {
  const [declared, integration] = [valueAt(fleet, ["rollout"]), valueAt(fleet, ["integration"])];
  const failures = excludeFailures(fleet);
  const { exclude: _, ...ofTarget }: Partial<DeclaredRollout> = Object(declared);
  const isKnown = typeof integration === "string" || typeof integration === "number";
  if (!isKnown || ofTarget.release === undefined || hasUnknown(ofTarget)) return { failures };
  const scope = await orUnknownName(integrationScope(context, integration));
  if (scope instanceof UnknownNameError) {
    return { failures: [...failures, { property: "integration", reason: scope.message }] };
  }
  const target = await orUnknownName(targetOf(scope, rolloutTargetSchema.parse(ofTarget)));
  if (target instanceof UnknownNameError) {
    return { failures: [...failures, { property: "rollout.release", reason: target.message }] };
  }
  const rollout = knownRollout(fleet);
  return rollout === undefined ? { failures } : { failures, known: { rollout, target, integration: scope } };
}

function excludeFailures(fleet: object): Failure[] {
  const [exclude, tenants] = [valueAt(fleet, ["rollout", "exclude"]), valueAt(fleet, ["tenants"])];
  if (hasUnknown(exclude) || typeof tenants !== "object" || tenants === null) return [];
  const keys = Object.keys(tenants);
  const pinned = keys.filter((key) => isPinned(valueAt(tenants, [key])));
  const problems = targetProblems({ exclude }, { keys: new Set(keys), pinned: new Set(pinned) });
  return problems.map(({ path, reason }) => ({ property: formatPath(["rollout", ...path]), reason }));
}

/**
 * The keys of the rollout's tenants, and the releases on which the update may create those that do not exist. A check has no
 * state, so it does not know the plan. But some tenant still runs the release on which new tenants are created, so each release
 * that a tenant runs is possible.
 *
 * @param before the inputs of the last `up`, after `withNewKeys`.
 */
export async function newTenantsOf(
  { rollout, target, integration }: CheckedRollout,
  tenants: object,
  before: Readonly<Record<string, unknown>>,
): Promise<[keys: ReadonlySet<string>, newTenants: NewTenants]> {
  const { members } = membershipOf(Object(tenants), rollout);
  const live = await Promise.all(
    members.map(async (key) => {
      const entry = entryAt(before, key);
      const { name = key }: { name?: unknown } = Object(entry);
      return entry === undefined || isUnknown(entry) ? [] : integration.tenants.named(String(name));
    }),
  );
  const refs = new Set(live.flat().flatMap((tenant) => releaseRefOf(tenant) ?? []));
  const possible = refs.size > 0 ? [...refs] : [String(target.release)];
  return [new Set(members), { releases: possible.map(selectorOf) }];
}
