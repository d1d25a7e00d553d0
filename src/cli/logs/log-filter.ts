import { createSecretRegistry } from "../../api/index.ts";
import type { JsonObject } from "../../json/json-value.ts";
import type { PlacedTenant } from "../../operation/tenant-by-id.ts";
import { secretSchemas } from "../../resources/existing/secret-schemas.ts";
import { hideCredentials } from "../../settings/hide-credentials.ts";
import { portableKeys } from "../../settings/portable-keys.ts";
import type { StackChoice } from "../stack-choice.ts";
import { stackSecrets } from "../stack-setting.ts";
import { CommandError } from "../subcommand.ts";
import type { CommandContext } from "../with-platform.ts";

/**
 * A function that hides credentials in the log of a tenant's run: what looks like one, the tenant's configs and metadata
 * that are secrets, as the platform shows them, and the secrets of the named stack.
 */
export async function createLogFilter(
  context: CommandContext,
  { tenant, integration }: PlacedTenant,
  choice: StackChoice,
): Promise<(text: string) => string> {
  const secrets = createSecretRegistry();
  const schemas = await secretSchemas(context, integration, tenant);
  const metadata = await context.client.metadata.get(tenant.id).catch(() => undefined);
  const addSecrets = (name: "configs" | "metadata", values: JsonObject) => {
    const { leftOut } = portableKeys(name, values, schemas[name]);
    for (const { path, reason } of leftOut) {
      const value = values[path[1] ?? ""];
      if (reason === "looks like a secret") secrets.add(value);
    }
  };
  addSecrets("configs", tenant.configs);
  addSecrets("metadata", metadata?.data ?? {});
  if (choice.stack !== undefined || choice.cwd !== undefined) {
    const declared = await stackSecrets(context.shell, choice).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      context.warn(`the stack's secrets are hidden only where they look like credentials: ${error.message}`);
      return [];
    });
    for (const secret of declared) secrets.addPossible(secret);
  }
  return (text) => hideCredentials(secrets.redactAnswer(text));
}
