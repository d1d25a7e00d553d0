import type { SettingPath } from "../../settings/reveal.ts";
import { type SettingName, settingEntries } from "../../settings/table.ts";
import type { Desired } from "./desired.ts";

/** A write of some settings with one PATCH: that of the tenant, or that of its metadata. */
export interface Step {
  endpoint: "tenant" | "metadata";
  settings: SettingName[];
}

/**
 * The writes for a tenant's pending changes. The `last` phase begins after a read has verified the `first` one: a tenant is
 * resumed only when all other settings are in place.
 */
export interface WritePlan {
  first: Step[];
  last: Step[];
}

/**
 * Plans the writes for pending changes.
 *
 * @param pending the paths of the pending changes. Each path begins with a setting's name.
 */
export function planWrites({ settings }: Pick<Desired, "settings">, pending: readonly SettingPath[]): WritePlan {
  const changes = settingEntries
    .filter(([name]) => pending.some(([setting]) => setting === name))
    .map(([name, { write }]) => {
      const declared = settings[name];
      const isLast = write.endpoint === "tenant" && declared !== undefined && write.isWrittenLast?.(declared) === true;
      return { name, endpoint: write.endpoint, isLast };
    });
  const steps = (isLast: boolean) =>
    (["tenant", "metadata"] as const).flatMap((endpoint): Step[] => {
      const written = changes.filter((change) => change.endpoint === endpoint && change.isLast === isLast);
      return written.length === 0 ? [] : [{ endpoint, settings: written.map(({ name }) => name) }];
    });
  return { first: steps(false), last: steps(true) };
}

/**
 * Whether a pending change may be written in the `last` phase, because its setting has values that are. Such a change can
 * still be pending when all writes of the first phase have taken effect.
 */
export function mayBeLast([name]: SettingPath): boolean {
  return settingEntries.some(
    ([other, { write }]) => other === name && write.endpoint === "tenant" && write.isWrittenLast !== undefined,
  );
}
