import { defined } from "../../json/defined.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { ImportIdError, parseRecordId } from "../existing/import-id.ts";
import type { Imported } from "../lifecycle.ts";
import { oldest } from "./await-release.ts";
import { stateOf } from "./observed-release.ts";
import type { BuildInputs, BuildState } from "./schema.ts";

/** Imports the build of an existing release, which `<id of the integration>/<tag>` names. */
export async function importBuild(
  context: OperationContext,
  id: string,
): Promise<Imported<BuildInputs, BuildState> | undefined> {
  const [, integrationText = "", tag] = /^(.*?)\/(.+)$/s.exec(id) ?? [];
  const integrationId = parseRecordId(integrationText);
  if (integrationId === undefined || tag === undefined) {
    throw new ImportIdError(
      "Build",
      id,
      "the id of the integration and the tag of the release with a / between them, such as 101/v1.4.0",
    );
  }
  const { record, releases } = await integrationScope(context, integrationId);
  const release = oldest((await releases.all()).filter((other) => other.tag === tag));
  if (release === undefined) return undefined;
  const { repository_tracking_branch: branch } = release;
  // programs declare the branch where it is not the default
  const isDefault = branch === record.repository_tracking_branch;
  const inputs = defined({ integrationId, tag, branch: branch && !isDefault ? branch : undefined });
  return { id, inputs, state: stateOf(inputs, release) };
}
