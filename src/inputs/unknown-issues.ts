import type * as z from "zod";
import { valueAt } from "../json/key-path.ts";
import { isUnknown } from "../json/unknown.ts";

type Issue = z.core.$ZodIssue;

/** The issue, unless an unknown value may be its cause. Of a union, the issues of the option that the value comes closest to. */
export function issuesOfKnownValues(issue: Issue, root: unknown): Issue[] {
  if (isUnknown(valueAt(root, issue.path))) return [];
  if (issue.code !== "invalid_union") return [issue];
  const options = issue.errors.map((issues) => {
    const located = issues.map((inner): Issue => ({ ...inner, path: [...issue.path, ...inner.path] }));
    const known = located.flatMap((inner) => issuesOfKnownValues(inner, root));
    return { known, hasUnknown: known.length < located.length };
  });
  // zod reports the issues of an option where all types fit. Where an unknown value is in the way, it cannot see that.
  const fitting = options.find(({ known, hasUnknown }) => hasUnknown && known.every(({ code }) => !isOfType(code)));
  return fitting?.known ?? [issue];
}

function isOfType(code: Issue["code"]): boolean {
  return code === "invalid_type" || code === "invalid_value" || code === "invalid_union";
}
