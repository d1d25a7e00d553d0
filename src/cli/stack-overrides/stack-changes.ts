import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { normalizeBaseUrl } from "../../api/base-url.ts";
import { isUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime } from "../../operation/platform-time.ts";
import type { ConfigNode } from "../../stack/config/config-node.ts";
import { projectConfig } from "../../stack/config/project-config.ts";
import { projectFile, projectName } from "../../stack/yaml/project-name.ts";
import { messageOf } from "../output.ts";
import type { PauseNote, WrittenOverride } from "../pause-note/note.ts";
import { writeNote } from "../pause-note/note-file.ts";
import { withFileLock } from "../pause-note/with-file-lock.ts";
import { readText } from "../read-text.ts";
import { replaceFile } from "../replace-file.ts";
import { readStackFile, stackFilesIn } from "../stack-file.ts";
import { isDeclaredByNone, placeOf } from "./concerned-tenants.ts";
import { declaredTenants } from "./declared-tenants.ts";
import type { Incident, ResumedTenants } from "./incident.ts";
import { editOverrides, renderOverrides } from "./override-yaml.ts";
import { planStack, type StackPlan } from "./plan-stack.ts";

/** A stack's file that is about tenants of an incident, and what has become of it. */
export interface StackChange extends StackPlan {
  /**
   * `unchanged`: it needs no change. `shown`: the change was not asked for. `skipped`: its next `up` would resume tenants, but
   * it is not known whether it is about the platform of the incident.
   */
  outcome: "written" | "unchanged" | "shown" | "failed" | "skipped";
  /** Why it could not be written. */
  problem?: string;
  /** The overrides to add by hand, as YAML. Absent if the file has them. */
  yaml?: string;
}

/**
 * What the stacks' files in a folder say about the tenants that a note has as paused. Nothing is decrypted or written.
 *
 * @param resume what `resume` does. Absent for `pause`.
 */
export async function planStacks(
  directory: string,
  note: PauseNote,
  context: OperationContext,
  resume?: ResumedTenants,
): Promise<readonly StackPlan[]> {
  const files = stackFilesAt(directory);
  if (files.length === 0) return [];
  const found = await incidentOf(note, resume, context);
  const stacks = files.map((path) => readStackFile(path, directory));
  const withoutAddress = stacks.filter(({ config }) => config.part("baseUrl") === undefined);
  // a stack without an address may be about another platform with tenants of the same names
  const isOnlyOne = withoutAddress.length === 1 && !stacks.some(({ config }) => isAddress(config, found.platform));
  const declaring = stacks.map((stack) => ({
    stack,
    declared: declaredTenants(stack, found.integrationIds),
    isAddressKnown: isOnlyOne || !withoutAddress.includes(stack),
  }));
  const ofPlatform = declaring.filter(({ stack, isAddressKnown }) =>
    withoutAddress.includes(stack) ? isAddressKnown : isAddress(stack.config, found.platform),
  );
  const incident = { ...found, isUndeclared: isDeclaredByNone(ofPlatform.flatMap(({ declared }) => declared.tenants)) };
  return declaring
    .map((one) => planStack(one, incident))
    .filter(({ resumes, pausesAgain, mayPauseAgain, held, uncovered, unnamed, edits, written, unknown, mayStay }) =>
      [
        ...[resumes, pausesAgain, mayPauseAgain, held, uncovered, unnamed, edits, written, unknown],
        mayStay?.overrides ?? [],
      ].some(({ length }) => length > 0),
    );
}

/** Whether a stack's `baseUrl` is an address, or may be. */
function isAddress(config: ConfigNode, address: string): boolean {
  const value = config.part("baseUrl")?.value;
  return isUnknown(value) || (typeof value === "string" && normalizeBaseUrl(value) === address);
}

/** The files of the stacks in a folder. None if the folder does not exist. */
export function stackFilesAt(directory: string): string[] {
  return existsSync(directory) ? stackFilesIn(directory) : [];
}

async function incidentOf(
  note: PauseNote,
  resume: ResumedTenants | undefined,
  context: OperationContext,
): Promise<Omit<Incident, "isUndeclared">> {
  const { client, snapshot } = context;
  const integrations = await snapshot.integrations.all();
  const tenants = [...note.tenants, ...(resume?.resumed ?? []), ...(resume?.ofOthers ?? [])];
  const ids = [
    ...tenants.map(({ integration, integrationId }) => ({ id: integrationId, name: integration })),
    ...integrations,
  ].flatMap(({ id, name }): [string | number, number][] => [
    [name, id],
    [id, id],
  ]);
  const concerned = new Set(tenants.map(({ integrationId }) => integrationId));
  const places = new Set<string>();
  const liveIds = new Set<number>();
  for (const integrationId of concerned) {
    for (const { id, name } of (await snapshot.tenantsOf(integrationId).all()).values()) {
      places.add(placeOf({ integrationId, name }));
      liveIds.add(id);
    }
  }
  return {
    platform: client.baseUrl,
    now: (await platformTime(context)).at,
    reason: note.reason,
    until: note.until,
    mustStayPaused: note.tenants,
    resume,
    wholeIntegrations: note.wholeIntegrations,
    written: note.overrides,
    integrationIds: new Map(ids),
    isLive: (integrationId, name) => places.has(placeOf({ integrationId, name })),
    isLiveId: (id) => liveIds.has(id),
  };
}

/** Where plans are carried out. */
interface StackWork {
  directory: string;
  /** The path of the note. */
  path: string;
  /** The note that the plans are made from. */
  note: PauseNote;
  isWriting: boolean;
}

/**
 * Writes the note, carries plans out, and writes the overrides of the files into the note. If the process dies in between, the
 * note has both the former and the new overrides, and the next command finds out which of them a file has.
 *
 * Reading the note, making the plans and this belong into one `withNoteLock`.
 *
 * @returns the note, and what has become of the files.
 */
export async function changeStacks(
  plans: readonly StackPlan[],
  { directory, path, note, isWriting }: StackWork,
): Promise<{ note: PauseNote; stacks: readonly StackChange[] }> {
  const before = await writeNote(path, isWriting ? { ...note, overrides: withPlanned(note.overrides, plans) } : note);
  const stacks = isWriting
    ? await Promise.all(plans.map((plan) => changeStack(directory, plan)))
    : plans.map(showStack);
  const written = stacks.filter(({ outcome }) => outcome === "written");
  return { note: await writeNote(path, { ...before, overrides: overridesAfter(before.overrides, written) }), stacks };
}

function withPlanned(overrides: PauseNote["overrides"], plans: readonly StackPlan[]): PauseNote["overrides"] {
  const planned = plans.flatMap(({ written }) => written);
  const isPlanned = ({ file, override }: WrittenOverride) =>
    planned.some((one) => one.file === file && isDeepStrictEqual(one.override, override));
  return [...overrides.filter((one) => !isPlanned(one)), ...planned];
}

function overridesAfter(overrides: PauseNote["overrides"], changed: readonly StackPlan[]): PauseNote["overrides"] {
  const files = new Set(changed.map(({ file }) => file));
  return [...overrides.filter(({ file }) => !files.has(file)), ...changed.flatMap(({ written }) => written)];
}

async function changeStack(directory: string, plan: StackPlan): Promise<StackChange> {
  const shown = showStack(plan);
  if (shown.outcome !== "shown") return shown;
  if (plan.unwritable !== undefined) return { ...shown, outcome: "failed", problem: plan.unwritable };
  const path = join(directory, plan.file);
  try {
    // The note of another incident has a lock of its own, and its commands change the same file.
    await withFileLock(`${path}.lock`, async () =>
      replaceFile(
        path,
        editOverrides(await readText(path), plan.edits, {
          project: projectName(directory),
          keepsEmptyList: plan.hasEnvironments || projectConfig(projectFile(directory)).has("overrides"),
        }),
      ),
    );
  } catch (error) {
    return { ...shown, outcome: "failed", problem: messageOf(error) };
  }
  return { ...plan, outcome: "written" };
}

/** What there is to do for a plan. */
export function showStack(plan: StackPlan): StackChange {
  const { edits, resumes, otherPlatform, mayStay } = plan;
  if (mayStay !== undefined) {
    return { ...plan, outcome: "failed", problem: mayStay.because, yaml: renderOverrides(mayStay.overrides) };
  }
  if (edits.length === 0) {
    const isUncovered = resumes.length > 0 && otherPlatform === undefined;
    return { ...plan, outcome: isUncovered ? "skipped" : "unchanged" };
  }
  const added = edits.flatMap(({ to }) => to ?? []);
  return { ...plan, outcome: "shown", ...(added.length === 0 ? {} : { yaml: renderOverrides(added) }) };
}
