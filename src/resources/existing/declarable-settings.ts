import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { LeftOut, Observed } from "../../settings/setting.ts";
import { exportSettings, type SettingName, type SomeSettings } from "../../settings/table.ts";
import { secretSchemas } from "./secret-schemas.ts";

/** The settings of a live tenant that a program can declare with their live values. */
export interface DeclarableSettings {
  settings: SomeSettings;
  /** The settings that the tenant has and that are not declared, for example because they look like secrets. */
  leftOut: LeftOut[];
  /** Why a setting is declared as it is, by the name of the setting. */
  notes: Partial<Record<SettingName, string>>;
}

/** All settings that a live tenant has and that a program can declare. */
export async function declarableSettings(
  context: OperationContext,
  integration: IntegrationScope,
  observed: Observed,
): Promise<DeclarableSettings> {
  const schemas = await secretSchemas(context, integration, observed.tenant);
  return exportSettings({ observed, schemas, releases: integration.releases });
}

/** The integration as a program names it: its name, or its id if several integrations have this name or none is listed. */
export async function integrationNameOrId(
  { snapshot }: OperationContext,
  { id, record }: IntegrationScope,
): Promise<string | number> {
  const namesakes = (await snapshot.integrations.all()).filter(({ name }) => name === record.name);
  return namesakes.length === 1 && namesakes[0]?.id === id ? record.name : id;
}
