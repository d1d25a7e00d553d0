import type { SecretRegistry } from "../api/index.ts";
import type { Failure } from "../inputs/input-schema.ts";

/** The resource in messages, such as `Tenant "acme" (id 5)`, with the parts that are known. */
export function describeResource(type: string, id: string | undefined, { name, tag }: Record<string, unknown>): string {
  const own = [name, tag].find((text) => typeof text === "string" && text !== "");
  return [type, ...(own === undefined ? [] : [`"${own}"`]), ...(id === undefined ? [] : [`(id ${id})`])].join(" ");
}

/**
 * A failure as the engine prints it: `resource 'acme' has a problem: configs.region: must be ...`. It is given no property,
 * because for one the engine prints the value of the input, and `{<nil>}` for a path.
 */
export function failureForEngine({ property, reason }: Failure, secrets: SecretRegistry): Failure {
  return { property: "", reason: shownText(`${property}: ${reason}`, secrets) };
}

/** The text of anything thrown, without secrets. */
export function messageOf(error: unknown, secrets: SecretRegistry): string {
  return shownText(error instanceof Error ? error.message : String(error), secrets);
}

/**
 * A text without secrets, in a form that gRPC can send: half of a surrogate pair, as in a platform's message that was cut, becomes
 * U+FFFD. Otherwise gRPC's server for Node.js throws after the call, and never answers it.
 */
export function shownText(text: string, secrets: SecretRegistry): string {
  return secrets.redact(text).toWellFormed();
}
