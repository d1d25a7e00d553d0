import type { JsonValue } from "../json/json-value.ts";
import type { Call } from "./call.ts";

/** `/v2/sourcecontrol/build` (specification, "Builds"). */
export interface Builds {
  /**
   * Requests a build, which becomes a release when it is finished. Resolves to the response's body, which is not documented:
   * undefined where it is empty. A request whose response was lost is not retried; the error's `mayHaveBeenApplied` is true.
   */
  create(body: CreateBuild): Promise<JsonValue | undefined>;
}

/** Body of a build request (specification, "CreateBuild"). */
export interface CreateBuild {
  /** The tag of the build and its release. */
  tag: string;
  integration_id: number;
  /** Default: the integration's tracking branch. */
  branch?: string | null | undefined;
}

export function createBuilds(call: Call): Builds {
  return {
    create: (body) => call.undocumented({ method: "POST", path: "/v2/sourcecontrol/build", body }),
  };
}
