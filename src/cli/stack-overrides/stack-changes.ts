import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { normalizeBaseUrl } from "../../api/base-url.ts";
import { isUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime } from "../../operation/platform-time.ts";
import type { ConfigNode } from "../../stack/config/config-node.ts";
import { projectConfig } from "../../stack/config/project-config.ts";
import type { Project } from "../../stack/yaml/project.ts";
import { messageOf } from "../output.ts";
import type { NotedTenant, PauseNote, WrittenOverride } from "../pause-note/note.ts";
import { writeNote } from "../pause-note/note-file.ts";
import { withFileLock } from "../pause-note/with-file-lock.ts";
import { readText } from "../read-text.ts";
import { replaceFile } from "../replace-file.ts";
import type { Shell } from "../shell.ts";
import { readStackFile, stackFilesOf } from "../stack-file.ts";
import type { CommandContext } from "../with-platform.ts";
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

/** What the stacks' files of a project say. */
export interface StackPlans {
  /** Of the files that are about tenants of the incident. */
  plans: readonly StackPlan[];
  /**
   * The tenants that no file declares as far as the command can read it, in a project whose files do not show all tenants: a
   * program may declare them, or an environment.
   */
  unrecorded: readonly NotedTenant[];
}

/**
 * What the stacks' files of a project say about the tenants that a note has as paused. Nothing is decrypted or written.
 *
 * @param resume what `resume` does. Absent for `pause`.
 */
export async function planStacks(
  project: Project,
  note: PauseNote,
  context: CommandContext,
  resume?: ResumedTenants,
): Promise<StackPlans> {
  const files = stackFilesOf(project);
  const concerned = (resume?.resumed ?? note.tenants).filter(({ wasPaused }) => !wasPaused);
  // without a project, `resume` has no file that `pause` could have written into
  const isNothingLeft = resume !== undefined && project.file === undefined;
  if (files.length === 0) return { plans: [], unrecorded: isNothingLeft ? [] : concerned };
  const found = await incidentOf(note, resume, context);
  const stacks = files.map((path) => readStackFile(context.shell, path, project));
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
  const candidates = declaring.filter((one) => ofPlatform.includes(one) || !one.isAddressKnown);
  const isComplete =
    candidates.some(({ declared }) => declared.tenants.length > 0) &&
    candidates.every(({ declared }) => declared.unknown.length === 0);
  const plans = declaring
    .map((one) => planStack(one, incident))
    .filter(({ resumes, pausesAgain, mayPauseAgain, held, uncovered, unnamed, edits, written, unknown, mayStay }) =>
      [
        ...[resumes, pausesAgain, mayPauseAgain, held, uncovered, unnamed, edits, written, unknown],
        mayStay?.overrides ?? [],
      ].some(({ length }) => length > 0),
    );
  return {
    plans,
    unrecorded: isComplete
      ? []
      : concerned.filter(isDeclaredByNone(candidates.flatMap(({ declared }) => declared.tenants))),
  };
}

/** Whether a stack's `baseUrl` is an address, or may be. */
function isAddress(config: ConfigNode, address: string): boolean {
  const value = config.part("baseUrl")?.value;
  return isUnknown(value) || (typeof value === "string" && normalizeBaseUrl(value) === address);
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
  shell: Shell;
  project: Project;
  /** The path of the note. */
  path: string;
  /** The note that the plans are made from. */
  note: PauseNote;
  isWriting: boolean;
}

/** The note, and what has become of the files. */
export interface ChangedStacks extends Pick<StackPlans, "unrecorded"> {
  note: PauseNote;
  stacks: readonly StackChange[];
}

/**
 * Writes the note, carries plans out, and writes the overrides of the files into the note. If the process dies in between, the
 * note has both the former and the new overrides, and the next command finds out which of them a file has.
 *
 * Reading the note, making the plans and this belong into one `withNoteLock`.
 */
export async function changeStacks(
  { plans, unrecorded }: StackPlans,
  { shell, project, path, note, isWriting }: StackWork,
): Promise<ChangedStacks> {
  const before = await writeNote(path, isWriting ? { ...note, overrides: withPlanned(note.overrides, plans) } : note);
  const stacks = isWriting
    ? await Promise.all(plans.map((plan) => changeStack(shell, project, plan)))
    : plans.map(showStack);
  const written = stacks.filter(({ outcome }) => outcome === "written");
  const after = await writeNote(path, { ...before, overrides: overridesAfter(before.overrides, written) });
  return { note: after, stacks, unrecorded };
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

async function changeStack(shell: Shell, project: Project, plan: StackPlan): Promise<StackChange> {
  const shown = showStack(plan);
  if (shown.outcome !== "shown") return shown;
  if (plan.unwritable !== undefined) return { ...shown, outcome: "failed", problem: plan.unwritable };
  const path = join(project.directory, plan.file);
  try {
    // The note of another incident has a lock of its own, and its commands change the same file.
    await withFileLock(shell, `${path}.lock`, async () =>
      replaceFile(
        path,
        editOverrides(await readText(path), plan.edits, {
          project: project.name,
          keepsEmptyList: plan.hasEnvironments || projectConfig(project).has("overrides"),
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
