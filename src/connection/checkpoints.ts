/** When the engine writes the state of a stack, as far as the environment says. */
export interface Checkpoints {
  /** Whether the engine writes it only when the command ends, and not before and after each resource. */
  areLeftOut: boolean;
  /** What the user should know about it; absent if the engine writes checkpoints, as by default. */
  warning?: string;
}

/**
 * Reads `PULUMI_SKIP_CHECKPOINTS`, a variable of the engine, which its programs and providers inherit. `npm run pulumi` sets it
 * where `INTEGRATION_PLATFORM_CHECKPOINTS` is `end`.
 */
export function checkpointsOf(environment: NodeJS.ProcessEnv): Checkpoints {
  if (/^(1|true)$/i.test(environment.PULUMI_SKIP_CHECKPOINTS ?? "")) {
    return {
      areLeftOut: true,
      warning:
        "the engine writes the state only when this command ends. If it is killed, run the same command again: it finds by their " +
        "names the tenants that are not in the state. In a stack that has resources of other providers, it would create those twice",
    };
  }
  if (environment.INTEGRATION_PLATFORM_CHECKPOINTS !== "end") return { areLeftOut: false };
  const warning =
    "INTEGRATION_PLATFORM_CHECKPOINTS=end does nothing here, because it is read by npm run pulumi only. For other " +
    "commands, set PULUMI_SKIP_CHECKPOINTS=true";
  return { areLeftOut: false, warning };
}

/** What a command without checkpoints is told to do where something needs them. */
export const withCheckpoints = "Run this command without INTEGRATION_PLATFORM_CHECKPOINTS and PULUMI_SKIP_CHECKPOINTS";
