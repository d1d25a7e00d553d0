import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { meantAmong, parseNameOrId } from "./name-or-id.ts";

/**
 * Finds the integration that a command line names, also an archived one.
 *
 * @param text its name or id; see {@link parseNameOrId}.
 * @throws CommandError if it is the id of one and the name of another, and UnknownNameError if there is none.
 */
export async function findIntegration(context: OperationContext, text: string): Promise<IntegrationScope> {
  const wanted = parseNameOrId(text);
  const { id, name = "" } = wanted;
  const listed = meantAmong("integration", wanted, await context.snapshot.integrations.all());
  return integrationScope(context, id !== undefined && !listed.some((one) => one.name === name) ? id : name);
}

/** What identifies the integrations that a command line names, however it names them: an id, or `all`. */
export async function integrationKey(context: OperationContext, text: string): Promise<number | "all"> {
  return text === "all" ? text : (await findIntegration(context, text)).id;
}
