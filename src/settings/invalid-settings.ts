import type { Tenant } from "../api/index.ts";
import { type SettingName, type SomeSettings, settingEntries } from "./table.ts";

/**
 * The invalid values of the right shape.
 *
 * @param tenant the tenant that exists already. A value that it has is accepted, even if a new one would be invalid.
 */
export function invalidSettings(
  declared: SomeSettings,
  tenant: Tenant | undefined,
): { property: SettingName; reason: string }[] {
  return settingEntries.flatMap(([property, setting]) => {
    const value = declared[property];
    if (value === undefined || (tenant && setting.live({ tenant, metadata: {} }) === value)) return [];
    const reason = setting.problemOf?.(value);
    return reason === undefined ? [] : [{ property, reason }];
  });
}
