import type { Variants } from "../../../src/emulator/index.ts";
import type { RawTenant } from "../raw-store.ts";
import type { Case } from "./case.ts";
import { resourceOf } from "./holders.ts";

/** A command that met no fault, with its context. */
export interface Undisturbed extends Omit<Case, "mustSucceed"> {
  /** Whether the same program has been applied, and nothing has happened since that may make it fail. */
  readonly isApplied: boolean;
}

/** Whether the user or the platform gives the command a reason to fail. */
export function mayFail(of: Undisturbed): boolean {
  const { kind } = of.command;
  const reasons = kind === "refresh" || kind === "destroy" ? reasonsOf[kind] : reasonsOf.up;
  return reasons.some((isReason) => isReason(of));
}

type Reason = (of: Undisturbed) => boolean;

/** The platform cannot remove keys. */
const cannotRemoveKeys: Reason = ({ outcome }) => hasError(outcome, /no way to remove/);

/** A refresh has removed from the state what the target depends on. */
const lacksWhatTheTargetNeeds: Reason = ({ command, outcome }) =>
  command.target !== undefined && hasError(outcome, /was not targeted/);

/** A sync is requested where nothing tells that the tenant is not connected. This platform accepts it for a run that fails. */
const failsSyncsOfUnconnected: Reason = (of) => {
  const { variants, heldBefore, before, outcome } = of;
  // a tenant that never ran may be archived, as if it were known as not connected, but its sync is requested
  const isUntold = ["auth", "connected"].includes(variants.absentField);
  const tenants = isUntold ? heldBefore.flatMap(({ id }) => before.get(id) ?? []) : notKnownAsUnconnected(of);
  const isPossible = variants.unconnectedSync === "fail-run" && tenants.some(({ isConnected }) => !isConnected);
  return isPossible && hasError(outcome, /sync of tenant \d+ failed/);
};

/** A tenant that may be connected must not be archived. */
const mayNotArchive: Reason = (of) => notKnownAsUnconnected(of).length > 0;

/** What is declared for the first time may contradict the platform or other declarations. */
const isNewProgram: Reason = ({ isApplied }) => !isApplied;

const doesNotReadWhatDrifted: Reason = ({ command, drifted }) =>
  drifted.size > 0 && !(command.refresh === true && command.target === undefined);

const refusesSyncsOfPaused: Reason = ({ variants, outcome }) =>
  variants.pausedSync === "refuse" && hasError(outcome, /is paused/);

/** A merge patch cannot store a null. */
const storesNoNull: Reason = ({ variants, model, outcome }) =>
  [variants.configs, variants.metadata].includes("merge-patch") &&
  JSON.stringify([...model.slots.values(), ...model.metadata.values()]).includes(":null") &&
  hasError(outcome, /has not applied/);

/**
 * A replacement archives its tenant first. A tenant that is retained instead may differ from what the stack would make, and
 * the tenant whose id is to be adopted may be an archived one.
 */
const cannotReplace: Reason = (of) => {
  const { command, heldBefore, model } = of;
  const { replace } = command;
  if (replace === undefined) return false;
  const adoptsById = [...model.slots].some(
    ([place, { settings }]) => typeof settings.adopt === "number" && replace.includes(resourceOf(place)),
  );
  return mayNotArchive(of) || heldBefore.some(({ isRetained }) => isRetained) || adoptsById;
};

/** A `TenantMetadata` names a tenant that is archived or does not exist. */
const lacksTenantOfMetadata: Reason = ({ model, before }) =>
  [...model.metadata.values()].some(
    ({ tenantId }) => typeof tenantId === "number" && before.get(tenantId)?.isArchived !== false,
  );

/** Somebody else's tenant has the name of one of the stack's. */
const sharesName: Reason = ({ heldBefore, before, after }) => {
  const held = new Set(heldBefore.map(({ id }) => id));
  const names = new Set([...held].map((id) => before.get(id)?.name));
  return [...after.values()].some(
    ({ id, name, isArchived }) => !isArchived && names.has(name) && !held.has(id) && before.has(id),
  );
};

const ofEach = [cannotRemoveKeys, lacksWhatTheTargetNeeds];

const reasonsOf: Readonly<Record<"refresh" | "destroy" | "up", readonly Reason[]>> = {
  refresh: ofEach,
  destroy: [...ofEach, failsSyncsOfUnconnected, mayNotArchive],
  up: [
    ...ofEach,
    failsSyncsOfUnconnected,
    isNewProgram,
    doesNotReadWhatDrifted,
    refusesSyncsOfPaused,
    storesNoNull,
    cannotReplace,
    lacksTenantOfMetadata,
    sharesName,
  ],
};

function hasError({ errors }: Case["outcome"], text: RegExp): boolean {
  return errors.some((error) => text.test(error));
}

/** The stack's tenants of which the platform does not show that they are not connected. */
function notKnownAsUnconnected({ heldBefore, before, variants }: Undisturbed): RawTenant[] {
  return heldBefore.flatMap(({ id }) => {
    const tenant = before.get(id);
    return tenant === undefined || tenant.isArchived || isShownUnconnected(tenant, variants) ? [] : [tenant];
  });
}

function isShownUnconnected({ isConnected, hasRun }: RawTenant, variants: Variants): boolean {
  if (isConnected || variants.absentField === "status") return false;
  const isUsualWord = variants.connectionWords === "plain" || variants.connectionWords === "capitalized";
  if (!hasRun) return isUsualWord || (variants.absentField === "none" && variants.defaults === "present");
  const isShown = variants.defaults === "present" && !["auth", "connected"].includes(variants.absentField);
  return isUsualWord && isShown;
}
