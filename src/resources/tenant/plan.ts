import type { SettingPath } from "../../settings/declared-keys.ts";
import { type SettingName, settingEntries } from "../../settings/table.ts";
import type { Desired } from "./desired.ts";

/** A write of some settings with one request. */
export interface Step {
  endpoint: "tenant" | "metadata";
  settings: SettingName[];
}

/** The writes for a tenant's pending changes. The `last` phase begins after a read has verified the `first` one. */
export interface Plan {
  first: Step[];
  last: Step[];
}

/**
 * Plans the writes for pending changes.
 *
 * @param pending the paths of the pending changes. Each path begins with a setting's name.
 */
export function plan({ settings }: Pick<Desired, "settings">, pending: readonly SettingPath[]): Plan {
  const changes = settingEntries
    .filter(([name]) => pending.some(([first]) => first === name))
    .map(([name, { write }]) => {
      const declared = settings[name];
      const isLast = write.endpoint === "tenant" && declared !== undefined && write.isWrittenLast?.(declared) === true;
      return { name, endpoint: write.endpoint, isLast };
    });
  const steps = (isLast: boolean) =>
    (["tenant", "metadata"] as const).flatMap((endpoint): Step[] => {
      const own = changes.filter((change) => change.endpoint === endpoint && change.isLast === isLast);
      return own.length === 0 ? [] : [{ endpoint, settings: own.map(({ name }) => name) }];
    });
  return { first: steps(false), last: steps(true) };
}

/** Whether the setting of a pending change has a value that is written last. A verification of the first phase ignores it. */
export function mayBeLast([name]: SettingPath): boolean {
  return settingEntries.some(
    ([other, { write }]) => other === name && write.endpoint === "tenant" && write.isWrittenLast !== undefined,
  );
}
