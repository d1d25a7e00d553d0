import { commandOf } from "./stack-file.ts";

/** The commands that plan what to do after a refresh, and ask for the differences then. */
const planning = ["up", "update", "preview", "pre", "destroy", "down", "dn"];

/**
 * The environment in which a command of the Pulumi CLI refreshes cheaply: after it has read a resource, the engine does not
 * ask the provider for the differences. `up`, `preview` and `destroy` plan and show the same without them. `refresh` does not,
 * so it is left as it is: docs/decisions/what-the-plugin-tells-the-engine.md.
 */
export function refreshEnvironment(args: readonly string[]): NodeJS.ProcessEnv {
  return planning.includes(commandOf(args) ?? "") ? { PULUMI_ENABLE_LEGACY_REFRESH_DIFF: "true" } : {};
}
