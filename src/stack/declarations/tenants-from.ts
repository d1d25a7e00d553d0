import { z } from "zod";
import { describeIssues, keyNouns } from "../../inputs/describe-issues.ts";
import { didYouMean } from "../../inputs/did-you-mean.ts";
import { keysEntries } from "../../settings/table.ts";

/** An item of `tenantsFrom`. */
export interface TenantsSource {
  /** A file of tenants, or a folder with a file for each, relative to the folder of Pulumi.yaml. */
  path: string;
  /** What may be declared there: settings, and paths in configs and metadata. Default: all settings. */
  fields?: readonly string[] | undefined;
}

const itemMessage = "must be a path, or an object such as { path: customers, fields: [metadata, configs.region] }";

/** What a user writes as an item: a path, or this. */
export const tenantsSourceSchema = z.strictObject(
  {
    path: z.string("must be the path of a file or a folder"),
    fields: z.array(z.string(), "must be a list of fields, such as [metadata, configs.region]").optional(),
  },
  itemMessage,
);
keyNouns.add(tenantsSourceSchema, { noun: "a setting of tenantsFrom" });

/**
 * The value of `tenantsFrom`: an item, or a list of items.
 *
 * @param settings the settings of a fleet's tenant.
 */
export function tenantsFromSchema(settings: readonly string[]) {
  // A union would name none of the mistakes inside an item.
  return z.unknown().transform((value, context): readonly TenantsSource[] => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item, index) => {
      if (typeof item === "string") return [{ path: item }];
      const at = Array.isArray(value) ? [index] : [];
      const parsed = tenantsSourceSchema.safeParse(item);
      const issues = describeIssues(parsed.error?.issues ?? [], tenantsSourceSchema);
      for (const { path, reason } of [...issues, ...fieldIssues(parsed.data?.fields, settings)]) {
        context.addIssue({ code: "custom", path: [...at, ...path], message: reason });
      }
      return parsed.success ? [parsed.data] : [];
    });
  });
}

const keysNames: readonly string[] = keysEntries.map(([name]) => name);

/** What is wrong with fields that no tenant can have. */
function fieldIssues(fields: readonly string[] = [], settings: readonly string[]) {
  return fields.flatMap((field, index) => {
    const [setting = "", ...rest] = field.split(".");
    const issue = (reason: string) => [{ path: ["fields", index], reason }];
    if (!settings.includes(setting)) return issue(`is not a setting of a tenant${didYouMean(setting, settings)}`);
    if (rest.length === 0 || keysNames.includes(setting)) return [];
    return issue(`is a part of a setting; only those of ${keysNames.join(" and ")} can be fields. Write "${setting}"`);
  });
}
