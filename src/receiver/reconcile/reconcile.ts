import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import { ApiError, type Client, type ListTenantsQuery, type Tenant } from "../../api/index.ts";
import { createPages } from "../../api/pages.ts";
import { parsePlatformDate } from "../../api/platform-clock.ts";
import { once } from "../../snapshot/once.ts";
import { busEventOf } from "../delivery/bus-event.ts";
import { type DeliveryPorts, deliver } from "../delivery/deliver.ts";
import { parseEvent } from "../events/index.ts";
import {
  type Ledger,
  type Observation,
  type ObservationState,
  type TenantEvent,
  tenantEventKey,
} from "../ledger/ledger.ts";
import { describeError, type Log } from "../log.ts";
import { integrationNames, reconciledEvent } from "./reconciled-event.ts";

/** How many tenants a sweep processes concurrently. */
const concurrency = 10;

/** What a sweep needs. */
export interface ReconcilePorts extends DeliveryPorts {
  readonly client: Client;
  readonly log: Log;
  /** How long a webhook may lag behind the list of tenants before it counts as lost, in seconds. Default 900. */
  readonly graceSeconds?: number | undefined;
  /** How many events the sweep may publish. If it finds more, it publishes none. Default 50. */
  readonly maximumEvents?: number | undefined;
  /** The current time in milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
}

/** What a sweep found. */
export interface SweepResult {
  /** How many tenants the platform lists, archived ones included. */
  readonly tenants: number;
  /** True for the first sweep, which records the baseline and publishes nothing. */
  readonly isBaseline: boolean;
  /** How many tenant events have no webhook yet, but may still get one. */
  readonly waiting: number;
  /** How many tenant events got no webhook in time. The sweep published them. */
  readonly reconciled: number;
  /** How many tenant events got no webhook in time and were not published, because they exceed `maximumEvents`. */
  readonly withheld: number;
}

/** As long as the function of a sweep may run: after that, no sweep is running. */
const maxSweepSeconds = 900;

/**
 * Runs a sweep: compares the platform's tenants, archived ones included, with the ledger, and publishes each creation or
 * archiving that no webhook reported, marked as reconciled. The first sweep only records the existing tenants as the
 * baseline. If it fails, the next sweep records the baseline again.
 *
 * A sweep cannot find failed runs and updates by partners, as the lists show neither. It does not look for new
 * integrations.
 *
 * @returns undefined if another sweep is running.
 * @throws ApiError, and the errors of the ledger and the bus. The next sweep resumes.
 */
export async function reconcile(ports: ReconcilePorts): Promise<SweepResult | undefined> {
  const { ledger, log, now = Date.now } = ports;
  const start = new Date(now()).toISOString();
  const end = new Date(now() + maxSweepSeconds * 1000).toISOString();
  if (!(await ledger.reserveSweep(start, end))) {
    log({ level: "warn", message: "another sweep is running; this one ends" });
    return undefined;
  }
  try {
    return await runSweep(ports);
  } catch (error) {
    if (isKeyRefusal(error))
      log({ level: "error", message: "the platform refused the API key", metrics: { KeyRefused: 1 } });
    throw error;
  } finally {
    // If it cannot be released, it expires.
    await ledger.reserveSweep(end, start).catch(() => false);
  }
}

async function runSweep(ports: ReconcilePorts): Promise<SweepResult> {
  const { client, ledger, log, now = Date.now } = ports;
  const baselineAt = await ledger.baselineCompletedAt();
  const isBaseline = baselineAt === undefined;
  const tenants = await listTenants(client);
  // Taken after listing, so that it is later than every event that the lists show.
  const at = new Date(now()).toISOString();
  const counts = isBaseline
    ? await recordBaseline(tenants, at, ledger)
    : await sweep(tenants, { at, baselineAt }, ports);

  const result = { tenants: tenants.length, isBaseline, waiting: 0, reconciled: 0, withheld: 0, ...counts };
  const metrics = { SweepsCompleted: 1, EventsWithheld: result.withheld };
  log({
    level: result.reconciled + result.withheld > 0 ? "warn" : "info",
    message: "tenants reconciled",
    ...result,
    metrics,
  });
  return result;
}

/**
 * Lists archived tenants first. A tenant that is archived between the two lists may be in neither: the next sweep finds it. If
 * the platform does not say of a tenant whether it is archived, it is if only the list of archived tenants has it.
 */
async function listTenants(client: Client): Promise<Tenant[]> {
  const pages = createPages((query: ListTenantsQuery) => client.tenants.listPage(query));
  const archived = [...(await pages.read({ archived: true })).values()];
  const live = [...(await pages.read({})).values()];
  const tenants = [...archived.map((tenant) => ({ ...tenant, archived: tenant.archived ?? true })), ...live];
  return [...new Map(tenants.map((tenant) => [tenant.id, tenant])).values()];
}

async function recordBaseline(tenants: readonly Tenant[], at: string, ledger: Ledger) {
  const events = tenants.flatMap(eventsOf);
  const observations = await ledger.findObservations(events);
  const unobserved = events.filter((event) => !observations.has(tenantEventKey(event)));
  await forEach(unobserved, (event) => ledger.putObservation(event, { state: "baseline", at }, []));
  // The last write: if the sweep is interrupted before it, the next sweep records the rest as the baseline too.
  await ledger.completeBaseline(at);
}

/** When a sweep runs, and when the first one did. */
interface SweepTimes {
  readonly at: string;
  readonly baselineAt: string;
}

async function sweep(tenants: readonly Tenant[], times: SweepTimes, ports: ReconcilePorts) {
  const { graceSeconds = 900, maximumEvents = 50, log } = ports;
  const observations = await ports.ledger.findObservations(tenants.flatMap(eventsOf));
  const noted = await forEach(tenants, async (tenant) => {
    const isNew = !observations.has(tenantEventKey(createdEvent(tenant)));
    const findings: Noted[] = [];
    // The archiving first: if the sweep is interrupted after the creation, the next one would take the tenant for a live one
    // that was archived since.
    for (const event of eventsOf(tenant).toReversed()) {
      const finding = { tenant, event, isNew };
      const observation = observations.get(tenantEventKey(event)) ?? (await noteFinding(finding, times, ports));
      findings.unshift({ ...finding, observation });
    }
    return findings;
  });
  const isDue = ({ observation: { state, at } }: Noted) =>
    state === "reconciling" || (state === "noticed" && Date.parse(at) + graceSeconds * 1000 <= Date.parse(times.at));
  const waiting = noted.flat().filter((each) => each.observation.state === "noticed" && !isDue(each)).length;
  const due = noted.map((findings) => findings.filter(isDue)).filter((findings) => findings.length > 0);
  if (due.flat().length > maximumEvents) {
    for (const { event } of due.flat()) log({ level: "warn", message: "event withheld", ...event });
    log({ level: "error", message: "too many events without a webhook: none is published", maximumEvents });
    return { waiting, withheld: due.flat().length };
  }
  const publish = createPublish(ports, times.at);
  const published = await forEach(due, async (findings) => {
    let count = 0;
    for (const finding of findings) if (await reconcileEvent(finding, ports, publish)) count += 1;
    return count;
  });
  return { waiting, reconciled: published.reduce((sum, count) => sum + count, 0) };
}

/** A tenant event that the lists show. */
interface Finding {
  readonly tenant: Tenant;
  readonly event: TenantEvent;
  /** Whether no sweep before this one and no webhook knew the tenant. */
  readonly isNew: boolean;
}

/** A finding, and what the ledger knows of it. */
type Noted = Finding & { readonly observation: Observation };

/** Records an event that the ledger does not have. Returns the observation: a webhook's, if one has arrived in between. */
async function noteFinding(
  finding: Finding,
  { at, baselineAt }: SweepTimes,
  { ledger }: ReconcilePorts,
): Promise<Observation> {
  const observation: Observation = { state: isOfBaseline(finding, baselineAt) ? "baseline" : "noticed", at };
  return (await ledger.putObservation(finding.event, observation, [])) ?? observation;
}

/**
 * Takes the observation of a due event through the states `reconciling` and `reconciled`. Each step is a conditional write, so
 * that a webhook that arrives in between wins. Returns whether the event was published.
 */
async function reconcileEvent(
  { observation: known, ...finding }: Noted,
  { ledger }: ReconcilePorts,
  publish: Publish,
): Promise<boolean> {
  const observe = async (observation: Observation, replaceable: readonly ObservationState[]) =>
    (await ledger.putObservation(finding.event, observation, replaceable)) ?? observation;

  // An observation that is already `reconciling` belongs to an earlier sweep that was interrupted: this one resumes it.
  const observation =
    known.state === "noticed"
      ? await observe({ state: "reconciling", at: known.at, ingestId: randomUUID() }, ["noticed"])
      : known;
  if (observation.state !== "reconciling" || observation.ingestId === undefined) return false;
  await publish(finding, observation.at, observation.ingestId);
  await observe({ ...observation, state: "reconciled" }, ["reconciling"]);
  return true;
}

/** How far the platform's clock may be behind the receiver's. */
const clockSkewSeconds = 60;

/**
 * Whether an event is older than the first sweep, whose lists lacked it: lists may shift, and the API key may have been another
 * one. An archived tenant that nothing knew and that was not modified since was archived before. One that was known was live when
 * it was last seen, and archiving it need not change the date.
 */
function isOfBaseline({ tenant, event, isNew }: Finding, baselineAt: string): boolean {
  if (!isNew) return false;
  const date = event.eventKind === "created" ? tenant.created_date : tenant.modified_date;
  // an invalid date compares as false, so the event is published: a second event does less harm than a lost one
  return parsePlatformDate(date ?? "") < Date.parse(baselineAt) - clockSkewSeconds * 1000;
}

/** Publishes the event of a finding on the bus. */
type Publish = (finding: Finding, noticedAt: string, ingestId: string) => Promise<void>;

function createPublish(ports: ReconcilePorts, receivedAt: string): Publish {
  const names = once(() => namesOrNone(ports));
  return async ({ tenant, event: { tenantId, eventKind } }, noticedAt, ingestId) => {
    const event = reconciledEvent(tenant, eventKind, noticedAt, await names());
    const body = Buffer.from(JSON.stringify(event));
    const { event_type: eventType } = event;
    const record = { ingestId, receivedAt, reconciled: true, kind: "known", eventType, tenantId, body };
    await deliver(ports, record, async () => ({ status: "published", event: busEventOf(record, parseEvent(body)) }));
    const facts = { ingestId, tenantId, eventType, reconciled: true, metrics: { ReconciledEvents: 1 } };
    ports.log({ level: "warn", message: "event published without a webhook", ...facts });
  };
}

/** The names of the integrations. None if the platform refuses to list them: an event may be published without a name. */
async function namesOrNone({ client, log }: ReconcilePorts): Promise<ReadonlyMap<number, string>> {
  try {
    return await integrationNames(client);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log({ level: "warn", message: "events have no integration name", error: describeError(error) });
    return new Map();
  }
}

/** Whether the same request will probably be refused again. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 429;
}

function isKeyRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

function createdEvent({ id: tenantId }: Tenant): TenantEvent {
  return { tenantId, eventKind: "created" };
}

function eventsOf(tenant: Tenant): TenantEvent[] {
  const created = createdEvent(tenant);
  return tenant.archived ? [created, { tenantId: tenant.id, eventKind: "archived" }] : [created];
}

/** Processes every item, even if some fail, and then throws if any failed. */
async function forEach<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const limit = pLimit(concurrency);
  const outcomes = await Promise.allSettled(items.map((item) => limit(() => work(item))));
  const failures = outcomes.filter((outcome) => outcome.status === "rejected");
  const [first] = failures;
  if (first !== undefined) {
    const message = `${failures.length} of ${items.length} could not be reconciled; the next sweep retries them`;
    throw new Error(message, { cause: first.reason });
  }
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}
