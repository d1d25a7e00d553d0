import type { Release } from "../../api/index.ts";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { releaseSchemas } from "../../operation/release-schemas.ts";
import { formatPath } from "../property-path.ts";
import { findViolations, type TenantViolation } from "./find-violations.ts";

/** What of a tenant does not fit a release, and who can change it: the customer, if the form of the integration shows the value. */
export interface ReleaseProblem extends TenantViolation {
  who: "customer" | "team";
}

/** What does not fit the release, of all tenants of the integration, and who has to change it. */
export async function releaseProblems(
  context: OperationContext,
  integration: string,
  release: Release,
): Promise<ReleaseProblem[]> {
  const { violations } = await findViolations(context, { integration, release: String(release.id) });
  const { configs } = releaseSchemas(context, release);
  return violations.map((one) => {
    const [setting, ...path] = one.path;
    const field = setting === "configs" ? configs.formFieldAt(path.map(String)) : undefined;
    return { ...one, who: field === undefined || field.isAdminOnly ? "team" : "customer" };
  });
}

export const problemsTitle = "What does not fit this release, and who must change it:";

/** What does not fit, each problem once, with its tenants and who must change it. */
export function describeProblems(problems: readonly ReleaseProblem[], quoted: (text: string) => string): string[] {
  const same = Map.groupBy(problems, ({ path, problem, who }) => JSON.stringify([path, problem, who]));
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = shortList([...new Set(group.map(({ tenant }) => oneLine(tenant)))], { maximum: 5 });
    const todo = first.who === "customer" ? "the customer, in the form" : "your team: the customer does not see it";
    return [`${quoted(`${formatPath(first.path)} ${oneLine(first.problem)}`)}: ${quoted(names)}. To be set by ${todo}`];
  });
}
