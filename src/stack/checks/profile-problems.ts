import { openProfile } from "../../platform-profile/open-profile.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";

/** What is wrong with the profile of the platform that a stack's config names. The environment may name another address. */
export function profileProblems(
  config: ConfigNode,
  directory: string,
  environment: NodeJS.ProcessEnv = process.env,
): Problem[] {
  const platform = config.part("platform");
  if (typeof platform?.value !== "string" || environment.INTEGRATION_PLATFORM_PROFILE) return [];
  const address = environment.INTEGRATION_PLATFORM_BASE_URL || config.part("baseUrl")?.value;
  const { problem } = openProfile(platform.value, directory, typeof address === "string" ? address : undefined);
  return problem === undefined ? [] : [{ ...platform.place, reason: problem }];
}
