import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import type { Client, ListTenantsQuery, Tenant } from "../../api/index.ts";
import { createPages } from "../../api/pages.ts";
import { once } from "../../snapshot/once.ts";
import { busEventOf } from "../consume/bus-event.ts";
import { type DeliveryPorts, deliver } from "../consume/deliver.ts";
import { type Ledger, type Sighting, type SightingState, type Subject, subjectKey } from "../ledger/ledger.ts";
import type { Log } from "../log.ts";
import { integrationNames, reconciledEvent } from "./reconciled-event.ts";

/** How many tenants are worked on at once. */
const concurrency = 10;

export interface ReconcilePorts extends DeliveryPorts {
  readonly client: Client;
  readonly log: Log;
  /** How long a webhook may lag behind the list of tenants before it counts as lost. Default 900. */
  readonly graceSeconds?: number | undefined;
  /** The present, in milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
}

/** What a sweep found. */
export interface SweepResult {
  /** Tenants listed, the archived ones included. */
  readonly tenants: number;
  /** True for the first sweep, which takes what it finds as given. */
  readonly isStockTaking: boolean;
  /** What no webhook has told of yet: it is given time. */
  readonly waiting: number;
  /** What no webhook has told of in time: it was put on the bus. */
  readonly reconciled: number;
}

/**
 * Compares the platform's tenants, archived ones too, with the ledger. What was created or archived without a webhook is
 * put on the bus, marked as reconciled. The first sweep only takes stock; until one has finished doing so, each does.
 *
 * Failed runs and updates by partners leave no trace that could be found this way; new integrations are not looked for.
 *
 * @throws ApiError, and whatever the ledger and the bus reject with; the next sweep goes on from there.
 */
export async function reconcile(ports: ReconcilePorts): Promise<SweepResult> {
  const { client, ledger, log, now = Date.now } = ports;
  const isStockTaking = (await ledger.stockTakenAt()) === undefined;
  const tenants = await listTenants(client);
  // Later than anything that the list can show.
  const at = new Date(now()).toISOString();
  const counts = isStockTaking ? await takeStock(tenants, at, ledger) : await sweep(tenants, at, ports);

  const result = { tenants: tenants.length, isStockTaking, waiting: 0, reconciled: 0, ...counts };
  log({ level: result.reconciled > 0 ? "warn" : "info", message: "tenants reconciled", ...result });
  return result;
}

/** The archived ones first: who is archived meanwhile is then in one of the lists, or in neither and seen next time. */
async function listTenants(client: Client): Promise<Tenant[]> {
  const pages = createPages((query: ListTenantsQuery) => client.tenants.listPage(query));
  const archived = await pages.read({ archived: true });
  const live = await pages.read({});
  return [...new Map([...archived, ...live]).values()];
}

async function takeStock(tenants: readonly Tenant[], at: string, ledger: Ledger) {
  const subjects = tenants.flatMap(subjectsOf);
  const known = await ledger.sightings(subjects);
  const unknown = subjects.filter((subject) => !known.has(subjectKey(subject)));
  await eachOf(unknown, (subject) => ledger.sight(subject, { state: "stock", at }, []));
  // Last: cut short before this, the next sweep takes stock again, and tells nobody of the remainder.
  await ledger.finishStock(at);
}

async function sweep(tenants: readonly Tenant[], at: string, ports: ReconcilePorts) {
  const known = await ports.ledger.sightings(tenants.flatMap(subjectsOf));
  const tell = createTell(ports, at);
  const outcomes = await eachOf(tenants, async (tenant) => {
    const ofTenant: Outcome[] = [];
    for (const subject of subjectsOf(tenant)) {
      ofTenant.push(await settle({ tenant, subject, known: known.get(subjectKey(subject)) }, at, ports, tell));
    }
    return ofTenant;
  });
  const count = (outcome: Outcome) => outcomes.flat().filter((each) => each === outcome).length;
  return { waiting: count("waiting"), reconciled: count("reconciled") };
}

type Outcome = "told" | "waiting" | "reconciled";

interface Fact {
  readonly tenant: Tenant;
  readonly subject: Subject;
  readonly known: Sighting | undefined;
}

/** Goes one or more steps: noticed, told of by reconciliation. Each step is taken only if no webhook came before it. */
async function settle(
  fact: Fact,
  at: string,
  { ledger, graceSeconds = 900 }: ReconcilePorts,
  tell: Tell,
): Promise<Outcome> {
  const { subject } = fact;
  const step = async (sighting: Sighting, over: readonly SightingState[]) =>
    (await ledger.sight(subject, sighting, over)) ?? sighting;

  let sighting = fact.known ?? (await step({ state: "noticed", at }, []));
  if (sighting.state === "noticed") {
    if (Date.parse(sighting.at) + graceSeconds * 1000 > Date.parse(at)) return "waiting";
    sighting = await step({ state: "reconciling", at: sighting.at, ingestId: randomUUID() }, ["noticed"]);
  }
  // Also what an earlier sweep was cut off at.
  if (sighting.state !== "reconciling" || sighting.ingestId === undefined) return "told";
  await tell(fact, sighting.at, sighting.ingestId);
  await step({ ...sighting, state: "reconciled" }, ["reconciling"]);
  return "reconciled";
}

/** Puts the event of a fact on the bus. */
type Tell = (fact: Fact, noticedAt: string, ingestId: string) => Promise<void>;

function createTell(ports: ReconcilePorts, receivedAt: string): Tell {
  const names = once(() => integrationNames(ports.client));
  return async ({ tenant, subject }, noticedAt, ingestId) => {
    const event = reconciledEvent(tenant, subject.happening, noticedAt, await names());
    const body = Buffer.from(JSON.stringify(event));
    const record = { ingestId, receivedAt, reconciled: true, kind: "known", eventType: event.event_type, body };
    await deliver(ports, record, busEventOf(record, { event, problems: [] }));
    const { tenantId, happening } = subject;
    ports.log({ level: "warn", message: "event without a webhook", ingestId, tenantId, happening });
  };
}

function subjectsOf({ id: tenantId, archived }: Tenant): Subject[] {
  const created = { tenantId, happening: "created" } as const;
  return archived ? [created, { tenantId, happening: "archived" }] : [created];
}

/** Does all that can be done before it fails. */
async function eachOf<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const limit = pLimit(concurrency);
  const outcomes = await Promise.allSettled(items.map((item) => limit(() => work(item))));
  const failures = outcomes.filter((outcome) => outcome.status === "rejected");
  const [first] = failures;
  if (first !== undefined) {
    throw new Error(`${failures.length} of ${items.length} could not be reconciled; the next sweep goes on`, {
      cause: first.reason,
    });
  }
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}
