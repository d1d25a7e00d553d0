import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime } from "../../operation/platform-time.ts";
import { messageOf } from "../output.ts";
import type { NotedTenant, PauseNote } from "../pause-note/note.ts";
import { replaceFile } from "../replace-file.ts";
import { readStackFile, stackFilesIn } from "../stack-file.ts";
import type { Incident } from "./incident.ts";
import { editOverrides, renderOverrides } from "./override-yaml.ts";
import { planStack, type StackPlan } from "./plan-stack.ts";

/** A stack's file that is about tenants of an incident, and what has become of it. */
export interface StackChange extends StackPlan {
  /** `unchanged`: it needs no change. `shown`: the change was not asked for. */
  outcome: "written" | "unchanged" | "shown" | "failed";
  /** Why it could not be written. */
  problem?: string;
  /** The overrides to add by hand, as YAML. Absent if the file has them. */
  yaml?: string;
}

/**
 * What the stacks' files in a folder say about the tenants that a note has as paused. Nothing is decrypted or written.
 *
 * @param resumed the tenants that `resume` brings back.
 */
export async function planStacks(
  directory: string,
  note: PauseNote,
  context: OperationContext,
  resumed: readonly NotedTenant[] = [],
): Promise<readonly StackPlan[]> {
  const files = existsSync(directory) ? stackFilesIn(directory) : [];
  if (files.length === 0) return [];
  const incident = await incidentOf(note, resumed, context);
  const stacks = files.map((path) => readStackFile(path, directory));
  const withoutAddress = stacks.filter(({ config }) => config.part("baseUrl") === undefined);
  return stacks
    .map((stack) => {
      // of several such stacks, one may be about another platform with tenants of the same names
      const isAddressKnown = withoutAddress.length < 2 || !withoutAddress.includes(stack);
      return planStack(stack, incident, isAddressKnown);
    })
    .filter(({ resumes, pausesAgain, edits, written, unknown }) =>
      [resumes, pausesAgain, edits, written, unknown].some(({ length }) => length > 0),
    );
}

async function incidentOf(
  note: PauseNote,
  resumed: readonly NotedTenant[],
  context: OperationContext,
): Promise<Incident> {
  const { client, snapshot } = context;
  const integrations = await snapshot.integrations.all();
  const ids = [
    ...[...note.tenants, ...resumed].map(({ integration, integrationId }) => ({
      id: integrationId,
      name: integration,
    })),
    ...integrations,
  ].flatMap(({ id, name }): [string | number, number][] => [
    [name, id],
    [id, id],
  ]);
  const concerned = new Set(note.tenants.map(({ integrationId }) => integrationId));
  const lists = [...concerned].map(async (id) => {
    const tenants = await snapshot.tenantsOf(id).all();
    return [...tenants.values()].map(({ name }) => `${id} ${name}`);
  });
  const live = new Set((await Promise.all(lists)).flat());
  return {
    platform: client.baseUrl,
    now: await platformTime(context),
    reason: note.reason,
    until: note.until,
    held: note.tenants,
    resumed,
    wholeIntegrations: note.wholeIntegrations,
    written: note.overrides,
    integrationIds: new Map(ids),
    isLive: (integrationId, name) => live.has(`${integrationId} ${name}`),
  };
}

/** The overrides of a note once the plans are carried out. */
export function overridesAfter(note: PauseNote, plans: readonly StackPlan[]): PauseNote["overrides"] {
  const planned = new Set(plans.map(({ file }) => file));
  const others = note.overrides.filter(({ file }) => !planned.has(file));
  return [...others, ...plans.flatMap(({ written }) => written)];
}

/** Carries a plan out, or shows what there is to do. */
export async function changeStack(
  directory: string,
  plan: StackPlan,
  { isWriting }: { isWriting: boolean },
): Promise<StackChange> {
  const added = plan.edits.flatMap(({ to }) => to ?? []);
  const byHand = added.length === 0 ? {} : { yaml: renderOverrides(added) };
  if (plan.edits.length === 0) return { ...plan, outcome: "unchanged" };
  if (!isWriting) return { ...plan, ...byHand, outcome: "shown" };
  const path = join(directory, plan.file);
  try {
    await replaceFile(path, editOverrides(await readFile(path, "utf8"), plan.edits));
  } catch (error) {
    return { ...plan, ...byHand, outcome: "failed", problem: messageOf(error) };
  }
  return { ...plan, outcome: "written" };
}
