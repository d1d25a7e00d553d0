import { homedir } from "node:os";
import { join } from "node:path";

/** The folder in which the engine keeps what belongs to the user: plugins, the selected stacks, credentials, logs. */
export function pulumiHome(env: NodeJS.ProcessEnv): string {
  return env.PULUMI_HOME || join(homedir(), ".pulumi");
}
