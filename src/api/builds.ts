import type { Call } from "./call.ts";
import type { JsonValue } from "./json.ts";

/** `/v2/sourcecontrol/build` (specification, "Builds"). */
export interface Builds {
  /**
   * Requests a build, which becomes a release when it is through. The answer's body is not documented: undefined when it is empty.
   * Not repeated when the answer is lost: then `mayHaveBeenApplied` is true.
   */
  create(body: CreateBuild): Promise<JsonValue | undefined>;
}

export interface CreateBuild {
  /** The tag that the build, and so the release, gets. */
  tag: string;
  integration_id: number;
  /** Default: the integration's tracking branch. */
  branch?: string | null | undefined;
}

export function createBuilds(call: Call): Builds {
  return {
    create: (body) => call.loosely({ method: "POST", path: "/v2/sourcecontrol/build", body }),
  };
}
