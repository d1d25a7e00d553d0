import { formatPath } from "../../json/key-path.ts";
import { withoutControlCharacters } from "../../json/one-line.ts";
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

const shownMaximum = 20;

/** A setting that an import does not manage. */
export interface NotImported extends LeftOut {
  /** The tenant in messages, if the resource has several. */
  tenant?: string;
}

/**
 * Warns about the settings that an import has left out of the inputs, in one message.
 *
 * @param resource the imported resource in messages, such as `fleet "billing"`.
 */
export function warnOfLeftOut(context: OperationContext, resource: string, leftOut: readonly NotImported[]): void {
  if (leftOut.length === 0) return;
  const lines = leftOut.slice(0, shownMaximum).map(({ tenant, path, reason }) => {
    const start = tenant === undefined ? "" : `${tenant}: `;
    return `\n  ${withoutControlCharacters(`${start}${formatPath(path)} ${reason}`)}`;
  });
  const more = leftOut.length > lines.length ? `\n  and ${leftOut.length - lines.length} more` : "";
  const hasSecrets = leftOut.some(({ reason }) => reason === "looks like a secret");
  const hint = hasSecrets
    ? ". To manage a secret of an imported resource, declare it in the program and read its value from the stack's config " +
      "(`pulumi config set --secret`)"
    : "";
  context.warn(
    `${withoutControlCharacters(resource)}: the settings below are left out, and up leaves them unchanged${hint}:` +
      `${lines.join("")}${more}`,
  );
}
