import { isDeepStrictEqual } from "node:util";
import type { Failure } from "../../inputs/input-schema.ts";
import { valueAt } from "../../json/key-path.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { settingsNotTaken } from "../../platform-profile/questions.ts";
import { type SomeSettings, settingEntries } from "../../settings/table.ts";

/**
 * The settings that a program changes although the profile says that PATCH of a tenant does not take them. Those of a new tenant
 * are among them only if its POST cannot set them.
 *
 * @param known the declared settings, as far as a preview knows them.
 * @param old the inputs of the last `up`; `undefined` for a new resource.
 */
export function unchangeableSettings(
  { platform }: Pick<OperationContext, "platform">,
  known: SomeSettings,
  old: object | undefined,
): Failure[] {
  const notTaken: readonly string[] = settingsNotTaken(platform);
  return settingEntries.flatMap(([name, { write, createFields }]): Failure[] => {
    const declared = known[name];
    if (declared === undefined || write.endpoint !== "tenant" || !notTaken.includes(name)) return [];
    const before = old === undefined ? undefined : valueAt(old, [name]);
    const isChanged = before !== undefined && !isDeepStrictEqual(before, declared);
    const isAfterPost = old === undefined && createFields === undefined && write.isWrittenLast?.(declared) === true;
    if (!isChanged && !isAfterPost) return [];
    const reason =
      "cannot be changed on this platform: the profile says that PATCH /v2/tenants/{tenant_id} does not take it (tenant.patch). " +
      `Change it in the console and declare what it shows there${isAfterPost ? ", or remove it here" : ""}`;
    return [{ property: name, reason }];
  });
}
