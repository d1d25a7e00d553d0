import type { ProcessTrace } from "../../model/call.ts";
import type { RawTenant } from "../raw-tenant.ts";
import type { Played } from "../scene.ts";
import type { Case } from "./case.ts";
import type { Stored } from "./exported.ts";

/** Whether all rollouts are done, and nobody is behind. */
export function isAllDone(stored: ReadonlyMap<string, Stored>, raw: ReadonlyMap<number, RawTenant>): boolean {
  return [...stored.values()].every(({ rollout, plan }) => {
    const members = [...(plan?.members ?? []), ...(plan?.newcomers ?? [])].filter(({ key }) => key !== undefined);
    const isThere = (id: number) => raw.get(id)?.isArchived !== false || raw.get(id)?.runs === String(plan?.release);
    const isEverybodyThere = rollout?.direction === "back" || members.every(({ id }) => isThere(id));
    return rollout?.phase === "done" && rollout.planNumber === plan?.number && isEverybodyThere;
  });
}

/** Judges that an `up` does nothing if all was done before it. */
export function judgeWithoutWork(of: Case, played: Played): void {
  if (of.isDisturbed || !isAllDone(of.before, of.raw) || !isNobodyGone(of)) return;
  if (of.writes > 0) of.violate(`12: all was done, and an up sent ${of.writes} writes`);
  const calls = played.processes.flatMap(worksIn);
  if (calls.length > 0) of.violate(`12: all was done, and the engine was told to ${calls.join(", ")}`);
}

/** Whether all stored tenants are live: the next refresh finds an archived one, and it is made anew. */
function isNobodyGone({ before, raw }: Case): boolean {
  return [...before.values()].every(({ tenantIds }) =>
    [...tenantIds.values()].every((id) => raw.get(id)?.isArchived === false),
  );
}

/** The calls of a process that change something. */
function worksIn(trace: ProcessTrace): string[] {
  return trace.flatMap((event) =>
    "begin" in event && ["create", "update", "delete"].includes(event.method)
      ? [`${event.method} ${event.type} ${event.of}`]
      : [],
  );
}
