import { ApiError, type Release } from "../../api/index.ts";
import { shapeFailures } from "../../inputs/input-schema.ts";
import { defined } from "../../json/defined.ts";
import { valueAt } from "../../json/key-path.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { poll } from "../../operation/poll.ts";
import { type Releases, UnknownNameError } from "../../snapshot/index.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { awaitRelease, importBuild, oldest } from "./import-build.ts";
import { stateOf } from "./observed-release.ts";
import { type BuildInputs, type BuildState, buildInputsSchema } from "./schema.ts";

/** Inputs whose change requires another build. */
const replacing = ["integrationId", "tag", "branch"];

/** The lifecycle of a build and its release. The inputs are documented at `BuildArgs`. */
export function buildLifecycle(context: OperationContext): Lifecycle<BuildInputs, BuildState> {
  return {
    check: async (inputs, old) => {
      const failures = shapeFailures(buildInputsSchema, inputs);
      const [integrationId, tag, adopt] = ["integrationId", "tag", "adopt"].map((key) => valueAt(inputs, [key]));
      if (failures.length > 0 || typeof integrationId !== "number") return failures;
      try {
        const { releases } = await integrationScope(context, integrationId);
        const isNew = old === undefined || replacing.some((key) => valueAt(old, [key]) !== valueAt(inputs, [key]));
        if (!isNew || isUnknown(tag) || isUnknown(adopt) || adopt === true) return [];
        const existing = (await releases.all()).find((release) => release.tag === tag);
        return existing === undefined ? [] : [{ property: "tag", reason: alreadyReleased(existing) }];
      } catch (error) {
        if (error instanceof UnknownNameError) return [{ property: "integrationId", reason: error.message }];
        throw error;
      }
    },

    diff: async (_, state, inputs) => {
      const differing = Object.keys({ ...inputsOf(state), ...inputs }).filter(
        (key) => valueAt(state, [key]) !== valueAt(inputs, [key]),
      );
      const ofAnotherBuild = differing.filter((key) => replacing.includes(key));
      // a value that a preview does not know yet may turn out to be the same
      const replaces = ofAnotherBuild.filter((key) => !isUnknown(valueAt(inputs, [key])));
      const isOfOtherBranch = [ofAnotherBuild, replaces].every((keys) => keys.join() === "branch");
      if (state.releaseId === undefined && isOfOtherBranch) throw new Error(describeOtherBranch(state));
      const isChanged = differing.length > 0 || hasUnknown(inputs);
      // a request that fails must leave the former build in the state, so that the program can return to it
      return { isChanged, replaces, isDeletedFirst: false, isUnfinished: state.releaseId === undefined };
    },

    create: async (inputs) => {
      const { releases } = await integrationScope(context, inputs.integrationId);
      const id = `${inputs.integrationId}/${inputs.tag}`;
      // kept until the end of the operation
      if (context.locks.take(`build ${id}`) === undefined)
        throw new Error(`${describe(inputs)} is declared by two resources. Remove one of them`);
      const before = await releases.fetchFresh();
      const existing = before.find(({ tag }) => tag === inputs.tag);
      if (existing !== undefined) {
        if (inputs.adopt !== true) throw new Error(`${describe(inputs)}: ${alreadyReleased(existing)}`);
        return { id, state: stateOf(inputs, existing) };
      }
      const lostAnswer = await requestBuild(context, inputs);
      return {
        id,
        state: await finish(context, id, inputs, new Set(before.map((release) => release.id)), lostAnswer),
      };
    },

    read: async (_, state) => {
      const { releases } = await integrationScope(context, state.integrationId);
      const release =
        state.releaseId === undefined
          ? await taggedRelease(releases, state.tag)
          : await ownRelease(context, releases, state.releaseId);
      if (release === undefined && state.releaseId !== undefined) return undefined;
      return { inputs: inputsOf(state), state: release === undefined ? state : stateOf(inputsOf(state), release) };
    },

    update: async (id, state, inputs) => {
      if (state.releaseId === undefined) return finish(context, id, inputs, new Set());
      const { integrationId, tag, branch, adopt, timeoutSeconds, ...release } = state;
      return { ...inputs, ...release };
    },

    delete: async (_, state) => {
      if (state.releaseId === undefined) return;
      context.warn(
        `${describe(state)}: release ${state.releaseId} stays on the platform, because the API cannot remove a release`,
      );
    },

    import: (id) => importBuild(context, id),
  };
}

/** The oldest release with the tag. If it is missing, a second list is read. */
async function taggedRelease(releases: Releases, wanted: string): Promise<Release | undefined> {
  const isTagged = ({ tag }: Release) => tag === wanted;
  return oldest((await releases.all()).filter(isTagged)) ?? oldest((await releases.fetchFresh()).filter(isTagged));
}

/**
 * The release of a build. A release that is missing would be built again, and lists may lag. So it counts as missing only if
 * its own request has a 404 too, and if both still lack it after the consistency timeout.
 */
async function ownRelease(
  { consistencyTimeoutSeconds, signal }: OperationContext,
  releases: Releases,
  releaseId: number,
): Promise<Release | undefined> {
  const find = (all: readonly Release[]) => all.find(({ id }) => id === releaseId);
  return (
    find(await releases.all()) ??
    poll({
      ask: async () => find(await releases.fetchFresh()) ?? (await releases.fetchOne(releaseId)),
      isDone: (release) => release !== undefined,
      deadlineSeconds: consistencyTimeoutSeconds,
      pauses: { first: 0.25, longest: 2 },
      signal,
    })
  );
}

/** Requests a build. After a lost response it returns the error and does not retry, as the build may have been started. */
export async function requestBuild(
  { client }: OperationContext,
  { integrationId, tag, branch }: Pick<BuildInputs, "integrationId" | "tag" | "branch">,
): Promise<ApiError | undefined> {
  try {
    await client.builds.create({ integration_id: integrationId, tag, ...(branch === undefined ? {} : { branch }) });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.mayHaveBeenApplied) return error;
    throw error;
  }
}

/** Waits for the release. A running build is stored, so that the next `up` waits for it instead of requesting another. */
async function finish(
  context: OperationContext,
  id: string,
  inputs: BuildInputs,
  before: ReadonlySet<number>,
  lostAnswer?: ApiError,
): Promise<BuildState> {
  const { releases } = await integrationScope(context, inputs.integrationId);
  try {
    const release = await awaitRelease(releases, inputs, before, context.signal);
    if (release !== undefined) return stateOf(inputs, release);
  } catch (error) {
    throw new IncompleteError(id, inputs, error);
  }
  throw new IncompleteError(
    id,
    inputs,
    new Error(
      `${describe(inputs)} was requested (POST /v2/sourcecontrol/build), but its release does not show yet. ` +
        "The next up waits on. Check the build in the console; to request it once more, run up with --replace" +
        (lostAnswer === undefined ? "" : `. The answer to the request was lost: ${lostAnswer.message}`),
    ),
  );
}

function inputsOf({ integrationId, tag, branch, adopt, timeoutSeconds }: BuildState): BuildInputs {
  return defined({ integrationId, tag, branch, adopt, timeoutSeconds });
}

function describe({ tag, integrationId }: Pick<BuildInputs, "tag" | "integrationId">): string {
  return `build "${tag}" of integration ${integrationId}`;
}

/** Why a build under way cannot be replaced by one of another branch: the tag alone identifies the release of either. */
function describeOtherBranch(state: BuildState): string {
  const { branch } = state;
  const from = branch === undefined ? "the integration's tracking branch" : `branch "${branch}"`;
  return (
    `${describe(state)} was requested from ${from}, and its release may still appear. It would be taken for the release of the ` +
    "branch that is declared now, as both have the same tag. Declare another tag for that branch, or the former branch again. If " +
    "the console shows that the build has ended without a release, remove the resource, run up, and declare it again"
  );
}

function alreadyReleased({ id, tag, name }: Release): string {
  return `release ${id} (${name}) has the tag "${tag}" already. Declare another tag, or set adopt: true to use that release`;
}
