import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import { integrationOf } from "../../stack/declarations/named-tenant.ts";
import type { Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { projectOfChoice, readStackFile, stackFile } from "../stack-file.ts";
import { UsageError } from "../subcommand.ts";

/**
 * The only integration of which the file of the named stack declares tenants; undefined if no stack is named.
 *
 * @throws UsageError if the file declares tenants of several integrations or none, or does not show them all.
 */
export function onlyIntegration(shell: Shell, { stack, cwd }: StackChoice): string | undefined {
  if (stack === undefined) return undefined;
  const project = projectOfChoice(shell, { cwd });
  const { name, declarations, problems, stackConfig } = readStackFile(shell, stackFile(project, stack), project);
  const declared = [...declarations.standalone, ...declarations.fleets.flatMap(({ tenants }) => tenants)];
  const integrations = [...new Set(declared.map(integrationOf))];
  const [only] = integrations;
  const isClear = problems.length === 0 && !stackConfig.hasUnreadKeys && integrations.length === 1;
  if (isClear && (typeof only === "string" || typeof only === "number")) return String(only);
  const names = integrations.flatMap((one) => (typeof one === "string" ? [oneLine(one)] : []));
  const shown = names.length > 1 ? ` (${shortList(names)})` : "";
  throw new UsageError(
    `${name} does not declare tenants of exactly one integration${shown}: name it with --integration (or "all")`,
  );
}
