import { settingEntries } from "../../settings/table.ts";
import type { ExportedEntry, ExportedTenant } from "./exported-tenants.ts";

/** The entries of tenants by key, without the settings that the defaults give them. */
export interface SharedDefaults {
  defaults: Partial<ExportedEntry>;
  /** Why a default is declared as it is, by the name of the setting. */
  notes: ExportedTenant["notes"];
  entries: Record<string, Partial<ExportedEntry>>;
}

/** Free-form settings are merged key by key, so they stay with each tenant. */
const shareable = [
  "integration",
  ...settingEntries.filter(([name, { kind }]) => kind === "value" && name !== "name").map(([name]) => name),
] as const;

/**
 * Moves the value that most tenants have of each setting into defaults. The engine passes the config of a stack in an
 * environment variable of at most 128 KiB on Linux, so repeated settings limit the number of tenants. A setting that some
 * tenants do not declare gets no default, because the default would apply to them too.
 */
export function shareDefaults(tenants: readonly ExportedTenant[]): SharedDefaults {
  const defaults: Partial<ExportedEntry> = {};
  const notes: ExportedTenant["notes"] = {};
  const isDefault = new Set<string>();
  for (const setting of tenants.length > 1 ? shareable : []) {
    if (tenants.some(({ entry }) => entry[setting] === undefined)) continue;
    const groups = [...Map.groupBy(tenants, ({ entry }) => JSON.stringify(entry[setting])).entries()];
    const [largest] = groups.sort(([, left], [, right]) => right.length - left.length);
    if (largest === undefined || largest[1].length * 2 <= tenants.length) continue;
    const [value, [tenant]] = largest;
    Object.assign(defaults, { [setting]: tenant?.entry[setting] });
    if (setting !== "integration") Object.assign(notes, { [setting]: tenant?.notes[setting] });
    isDefault.add(JSON.stringify([setting, value]));
  }
  const ownEntry = ({ key, entry }: ExportedTenant) => [
    key,
    Object.fromEntries(
      Object.entries(entry).filter(
        ([setting, value]) => !isDefault.has(JSON.stringify([setting, JSON.stringify(value)])),
      ),
    ),
  ];
  return { defaults, notes, entries: Object.fromEntries(tenants.map(ownEntry)) };
}
