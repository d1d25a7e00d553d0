import { ApiError, type CreateTenant, type Tenant, TimeoutError, ValidationError } from "../../api/index.ts";
import { formatPath } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { Owner } from "../../operation/ownership.ts";
import { platformTime } from "../../operation/platform-time.ts";
import { poll } from "../../operation/poll.ts";
import { sentForm } from "../../secrets/secret-table.ts";
import { withLiveForPlaceholders } from "../../secrets/walk.ts";
import type { ResolvedRelease } from "../../settings/release.ts";
import { keysEntries, type ResolvedSettings, settingEntries, type TenantSettings } from "../../settings/table.ts";
import { type DesiredTenant, desiredOf } from "./desired.ts";
import { takeOver } from "./take-over.ts";
import { describeUnresolved } from "./unresolved-secrets.ts";
import { type WaitingChoices, withAllChoices } from "./waiting-choices.ts";

const attemptsMaximum = 3;
/** A response that takes longer leaves others the time to learn of a new tenant and to write to it. */
const promptMilliseconds = 2000;
/** Statuses of a gateway in front of the platform that has waited too long for it. 524 is a content delivery network's. */
const gatewayTimeouts: readonly unknown[] = [504, 524];

/** How tenants are created whose release somebody else manages afterwards: the POST has a release that they do not declare. */
export interface NewTenants {
  /** The releases on which they may be created. The POST has the first. */
  releases: readonly ResolvedRelease[];
  /** Called with the id of each tenant that a POST has created. */
  created?(id: number): void;
}

/** The desired settings in the POST of a new tenant: those that it declares, and the release of {@link NewTenants}. */
export async function postedSettings(
  context: OperationContext,
  integration: IntegrationScope,
  inputs: TenantSettings,
  { desired, newTenants }: { desired: DesiredTenant; newTenants: NewTenants | undefined },
): Promise<DesiredTenant> {
  const release = newTenants?.releases[0];
  if (release === undefined || desired.settings.release !== undefined) return desired;
  return desiredOf(context, integration, { ...inputs, release });
}

/**
 * Creates a tenant. After a lost response, it lists the tenants until the tenant appears or the consistency timeout has
 * passed. It never creates two tenants for one resource: it sends a second POST only after a list shows the result of a
 * later POST of this operation, but not the result of the lost one.
 *
 * @param posted the settings in the POST, if it has more than the desired ones: see {@link NewTenants}.
 * @returns also whether others may have written to the tenant by now: the platform tells them of it before the response arrives.
 */
export async function createTenant(
  context: OperationContext,
  integration: IntegrationScope,
  owner: Owner,
  desired: DesiredTenant,
  posted: DesiredTenant = desired,
): Promise<{ tenant: Tenant; mayBeChanged: boolean }> {
  const unresolved = await unresolvedForCreate(withAllChoices(posted));
  if (unresolved !== undefined) throw new Error(`tenant "${posted.settings.name}" cannot be created: ${unresolved}`);
  for (let attempt = 1; ; attempt += 1) {
    const begunAt = performance.now();
    try {
      const tenant = await post(context, integration, posted);
      integration.tenants.created(tenant, begunAt);
      return { tenant, mayBeChanged: performance.now() - begunAt > promptMilliseconds };
    } catch (error) {
      if (!(error instanceof ApiError) || !error.mayHaveBeenApplied) throw error;
      const madeSince = new Date((await platformTime(context)).at.getTime() - (performance.now() - begunAt));
      const { made, isNotMade } = await findMade(context, integration, { owner, desired, error, madeSince });
      if (made !== undefined) return { tenant: made, mayBeChanged: true };
      if (!isNotMade) throw notShown(error, desired, context.consistencyTimeoutSeconds);
      if (attempt === attemptsMaximum) throw error;
    }
  }
}

/**
 * Sends the POST without the configs that wait. A platform that requires one of them may take it with whatever value: if it refuses
 * the POST, they are sent too.
 */
async function post(
  { client }: OperationContext,
  integration: IntegrationScope,
  posted: DesiredTenant,
): Promise<Tenant> {
  try {
    return await client.tenants.create(createBody(integration, posted));
  } catch (error) {
    const { waiting } = posted;
    if (!(error instanceof ValidationError) || waiting === undefined) throw error;
    try {
      return await client.tenants.create(createBody(integration, withAllChoices(posted)));
    } catch (second) {
      throw second instanceof ValidationError ? refusedWithout(waiting, second) : second;
    }
  }
}

/** The error of a platform that creates the tenant neither without the configs that wait nor with them. */
function refusedWithout({ waitingFor }: WaitingChoices, error: ValidationError): Error {
  const paths = shortList(waitingFor.map(({ path }) => formatPath(path)));
  return new Error(
    `${error.message} It refuses ${paths} and a tenant without it: ${waitingFor[0]?.reason}. If the platform cannot have a tenant ` +
      "without options, create the tenant in the console; the next up takes it over if the resource has adopt: true",
    { cause: error },
  );
}

/** Why references to secrets make a POST impossible; `undefined` if they do not. */
export async function unresolvedForCreate(desired: DesiredTenant): Promise<string | undefined> {
  await desired.secrets.load();
  const posted = settingEntries.flatMap(([name, { createFields }]) => (createFields === undefined ? [] : [[name]]));
  return describeUnresolved(desired, posted);
}

function createBody(integration: IntegrationScope, desired: DesiredTenant): CreateTenant {
  return { integration_id: integration.id, ...createFields(desired), name: desired.settings.name };
}

/** The fields of the POST, without settings that a POST cannot set. */
function createFields({ resolved, secrets }: DesiredTenant): Partial<CreateTenant> {
  const keys = keysEntries.flatMap(([name, setting]) => {
    const declared = setting.createFields && resolved[name];
    return declared === undefined
      ? []
      : [[name, withLiveForPlaceholders(sentForm(secrets, declared), undefined, [])] as const];
  });
  const sent: ResolvedSettings = { ...resolved, ...Object.fromEntries(keys) };
  const fields = settingEntries.map(([name, setting]) => {
    const value = sent[name];
    return value === undefined ? undefined : setting.createFields?.(value);
  });
  return Object.assign({}, ...fields);
}

/** Lists until the tenant or the result of a later POST appears, or until the consistency timeout has passed. */
async function findMade(
  context: OperationContext,
  integration: IntegrationScope,
  { owner, desired, error, madeSince }: { owner: Owner; desired: DesiredTenant; error: ApiError; madeSince: Date },
) {
  const lostAt = performance.now();
  // the platform may still work on the POST, which no list shows, if it was the client or a gateway that did not wait longer
  const mayBeUnderWay = error instanceof TimeoutError || gatewayTimeouts.includes(error.status);
  const { name } = desired.settings;
  return poll({
    ask: async () => {
      const { tenants, showsLaterPost } = await integration.tenants.fetchAfterLostResponse(name, lostAt);
      const made = await ownAmong(context, integration, { owner, desired, madeSince }, tenants);
      return { made, isNotMade: made === undefined && showsLaterPost && !mayBeUnderWay };
    },
    isDone: ({ made, isNotMade }) => made !== undefined || isNotMade,
    deadlineSeconds: context.consistencyTimeoutSeconds,
    pauses: { first: 0.25, longest: 2 },
    signal: context.signal,
  });
}

/** The listed tenant that matches what the POST creates. Throws if a different tenant has the name. */
async function ownAmong(
  context: OperationContext,
  integration: IntegrationScope,
  { owner, desired, madeSince }: { owner: Owner; desired: DesiredTenant; madeSince: Date },
  named: readonly Tenant[],
): Promise<Tenant | undefined> {
  const { name } = desired.settings;
  const live = named.filter(({ id }) => context.ownership.holdersOf(id).length === 0);
  const decision = await takeOver(context, integration, { owner, inputs: { name }, desired, live, madeSince });
  if (decision.kind === "refuse") throw new Error(decision.failure);
  return decision.kind === "take over" ? decision.tenant : undefined;
}

function notShown(error: ApiError, { settings }: DesiredTenant, seconds: number): Error {
  return new Error(
    `${error.message} No tenant named "${settings.name}" was listed within ${seconds} s, but it may still have been made. ` +
      "Run up again: it lists the tenants before it creates one",
    { cause: error },
  );
}
