import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { getRequestListener } from "@hono/node-server";
import type { Emulator, Variants } from "../../../../src/emulator/index.ts";
import { scheduleInOwnForm, valuesInOwnForm } from "../../../../src/emulator/rules/own-forms.ts";
import type { JsonValue } from "../../../../src/json/json-value.ts";
import { valueAt } from "../../../../src/json/key-path.ts";
import { IncompleteError } from "../../../../src/resources/lifecycle.ts";
import type { TenantInputs, TenantState } from "../../../../src/resources/tenant/schema.ts";
import { listen } from "../../../listen.ts";
import { type Finding, type FindOptions, findFailure, ViolationError } from "../../../stories/find-failure.ts";
import { type KeptTenant, type Stage, stage } from "../../stage.ts";
import { type Declared, type Place, places, platforms, type Step, type Story, story, type Write } from "./story.ts";

/** What the stories came to, for the report of the long form. */
export interface Tally {
  applied: number;
  failed: number;
  /** Values that are called applied although the platform has others, which nothing could tell. */
  undecidable: number;
}

const lagSeconds = 0.02;
const consistencyTimeoutSeconds = 0.05;

const config_schema = { properties: { token: { type: "string", format: "password" }, d: { default: 1 } } };
const seed = {
  integrations: [{ id: 1, name: "crm", default_release_id: 11, releases: [{ id: 11, name: "one", config_schema }] }],
};

/** Plays stories on one platform, one after the other. */
export async function checkRuleN(
  options: FindOptions,
  tally: Tally = { applied: 0, failed: 0, undecidable: 0 },
): Promise<Finding<Story, Variants> | undefined> {
  await using scene = await openScene();
  return await findFailure(platforms, story, (chosen, variants) => play(scene, chosen, variants, tally), options);
}

interface Made {
  id: string;
  state: TenantState;
  /** What the last update has declared, if it has applied all. */
  applied?: Declared;
  /** The places whose pairs may be those of another writer's value, or of an ignored write, which nothing could tell. */
  doubtful: ReadonlySet<Place>;
}

interface Scene extends AsyncDisposable {
  on: Stage;
  /** Called before each request of the lifecycles. */
  before: (request: { method: string; path: string }) => Promise<void>;
  /** Changes the body of each answer to a PATCH. */
  answered: (request: { path: string }, body: string, sent: string) => string;
}

const nothingBefore: Scene["before"] = async () => {};
const asItIs: Scene["answered"] = (_, body) => body;

async function openScene(): Promise<Scene> {
  const served: { emulator?: Emulator } = {};
  const server = createServer(
    getRequestListener(async (request) => {
      const { pathname: path } = new URL(request.url);
      const { method } = request;
      const sent = method === "PATCH" ? await request.clone().text() : "";
      await scene.before({ method, path });
      const answer = (await served.emulator?.fetch(request)) ?? new Response(null, { status: 502 });
      if (method !== "PATCH" || answer.status !== 200) return answer;
      const { headers } = new Response(null, { headers: { "content-type": "application/json" } });
      return new Response(scene.answered({ path }, await answer.text(), sent), { headers });
    }),
  );
  const baseUrl = await listen(server);
  const on = await stage({ seed, lagSeconds }, { baseUrl });
  served.emulator = on.emulator;
  const scene: Scene = {
    ...{ on, before: nothingBefore, answered: asItIs },
    async [Symbol.asyncDispose]() {
      await on[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
  return scene;
}

async function play(scene: Scene, chosen: Story, variants: Variants, tally: Tally): Promise<void> {
  const { on } = scene;
  await on.emulator.reset();
  on.emulator.setVariants(variants);
  let made: Made | undefined;
  for (const step of chosen) {
    if (step.kind === "update") made = await update(scene, step, variants, made, tally);
    else if (made !== undefined) {
      await others(on, made.id, step);
      await sleep(variants.visibility === "lagging" ? 1000 * lagSeconds : 0);
      await expectDrift(on, made, variants);
    }
  }
}

async function update(
  scene: Scene,
  step: Extract<Step, { kind: "update" }>,
  variants: Variants,
  made: Made | undefined,
  tally: Tally,
): Promise<Made | undefined> {
  const { on } = scene;
  const inputs: TenantInputs = { integration: "crm", name: "acme", ...step.declared };
  const { tenant } = on.operation({ consistencyTimeoutSeconds, areAllSecretsDeclared: true });
  const { id = "", state } = made ?? {};
  const count = { tenant: 0, metadata: 0 };
  const written = new Set<Place>();
  scene.before = async ({ path }) => {
    const endpoint = path.endsWith("/metadata") ? "metadata" : "tenant";
    if (!/\/tenants(\/\d+)?(\/metadata)?$/.test(path)) return;
    const at = count[endpoint]++;
    for (const one of step.meanwhile) {
      if (made === undefined) continue; // others do not know the tenant before it is there
      if (one.before !== at || one.place.startsWith("metadata") !== (endpoint === "metadata")) continue;
      written.add(one.place);
      await others(on, id, one);
    }
  };
  const ignored = made === undefined ? [] : step.ignored;
  if (ignored.length > 0) {
    on.emulator.fault({ kind: "ignore-fields", fields: [...ignored], times: 99, match: { method: "PATCH" } });
  }
  scene.answered = ({ path }, body, sent) => {
    const isShown = step.isPretended && variants.patchAnswer === "echoed";
    if (!isShown || body === "" || body === "{}") return body;
    const answer = JSON.parse(body);
    const [all, data] = [JSON.parse(sent), path.endsWith("/metadata")];
    return JSON.stringify(data ? { ...answer, data: { ...answer.data, ...all } } : { ...answer, ...all });
  };
  const doubtfulAfter = () => {
    const now = places.filter((place) => isDoubtful(place, { step, variants, state, isWritten: written.has(place) }));
    return new Set([...(made?.doubtful ?? []), ...now]);
  };
  try {
    const next =
      state === undefined ? await tenant.create(inputs) : { id, state: await tenant.update(id, state, inputs) };
    tally.applied += 1;
    const now = await on.tenant(next.id);
    const wrong = placesOf(step.declared).filter((place) => !isTaken(variants, now, place, step.declared));
    const doubtful = doubtfulAfter();
    for (const place of wrong) requireUndecidable(place, { step, next: next.state, doubtful, now });
    tally.undecidable += wrong.length;
    return { ...next, doubtful, ...(wrong.length === 0 ? { applied: step.declared } : {}) };
  } catch (error) {
    if (error instanceof ViolationError || error instanceof TypeError) throw error;
    tally.failed += 1;
    const kept = error instanceof IncompleteError ? { id: error.id, state: Object(error.state) } : made;
    return kept && { id: kept.id, state: kept.state, doubtful: doubtfulAfter() };
  } finally {
    scene.before = nothingBefore;
    scene.answered = asItIs;
    await fetch(`${on.emulator.url}/_emulator/faults`, { method: "DELETE" });
    await sleep(variants.visibility === "lagging" ? 1000 * lagSeconds : 0);
  }
}

interface Update {
  step: Extract<Step, { kind: "update" }>;
  variants: Variants;
  /** The state before it; none before a create. */
  state: TenantState | undefined;
}

/** Whether nothing tells a form of the platform from another writer's value, or from the old value of an ignored write. */
function isDoubtful(place: Place, { step, variants, state, isWritten }: Update & { isWritten: boolean }): boolean {
  if (state === undefined) return false;
  const [setting, key] = place.split("/");
  const field = setting === "schedule" ? "user_schedule" : setting === "metadata" ? key : setting;
  const isIgnored = step.ignored.some((one) => one === field);
  const hasAnswer = setting === "metadata" || !["nothing", "empty"].includes(variants.patchAnswer);
  const isKnownForm = hasPair(state, place);
  if (isWritten && (isIgnored || isKnownForm || !hasAnswer)) return true;
  // a platform may leave out empty values
  const shown = valuesInOwnForm({ ...variants, emptyValues: "dropped" }, { value: declaredAt(step.declared, place) });
  return isIgnored && (isKnownForm || Object.keys(shown).length === 0);
}

function hasPair({ shownAs = {} }: TenantState, place: Place): boolean {
  return Object.keys(shownAs).some((pointer) => `${pointer}/`.startsWith(`/${place}/`));
}

/** Throws if an update has called a place applied that does not have its value, although something tells so. */
function requireUndecidable(
  place: Place,
  {
    step,
    next,
    doubtful,
    now,
  }: Pick<Update, "step"> & { next: TenantState; doubtful: ReadonlySet<Place>; now: KeptTenant },
): void {
  const isHidden = (next.unreadablePaths ?? []).some((hidden) => isDeepStrictEqual(hidden, place.split("/")));
  if (isHidden && place === "configs/token") return; // told: it cannot be seen
  if (hasPair(next, place) && doubtful.has(place)) return;
  throw new ViolationError(
    `${place} is called applied: declared ${JSON.stringify(declaredAt(step.declared, place))}, ` +
      `the platform has ${JSON.stringify(storedAt(now, place))}; pairs ${JSON.stringify(next.shownAs)}, ` +
      `not readable ${JSON.stringify(next.unreadablePaths)}`,
  );
}

/** Expects that a read shows a difference at each place whose value reads show otherwise than the declared one. */
async function expectDrift(on: Stage, { id, state, applied }: Made, variants: Variants): Promise<void> {
  if (applied === undefined) return;
  const read = await on.operation({ consistencyTimeoutSeconds }).tenant.read(id, state);
  const now = await on.tenant(id);
  for (const place of placesOf(applied)) {
    const isMasked =
      place === "configs/token" && (variants.maskedConfigs !== "no" || state.unreadablePaths !== undefined);
    if (isMasked || isTaken(variants, now, place, applied)) continue;
    const wanted = declaredAt(applied, place);
    if (!isDeepStrictEqual(declaredAt(read?.state ?? {}, place), wanted)) continue;
    throw new ViolationError(
      `a read shows no difference of ${place}: declared ${JSON.stringify(wanted)}, the platform has ${JSON.stringify(storedAt(now, place))}`,
    );
  }
}

/** Whether the platform has the declared value, or shows what it has as it would show that. */
function isTaken(variants: Variants, now: KeptTenant, place: Place, declared: object): boolean {
  const [wanted, stored] = [declaredAt(declared, place), storedAt(now, place)];
  if (place !== "schedule") {
    const [one, other] = [wanted, stored].map((value) => valuesInOwnForm(variants, { value }));
    return isDeepStrictEqual(one, other);
  }
  const shown = [wanted, stored].map((cron) => scheduleInOwnForm(variants, cron === "none" ? null : String(cron)));
  const later = (minutes: number) =>
    String(wanted).replace(/^\d+/, (minute) => String((Number(minute) + minutes) % 60));
  const isShifted = variants.scheduleForm === "shifted" && [later(3), later(7)].includes(String(stored));
  return isDeepStrictEqual(shown[0], shown[1]) || isShifted;
}

function placesOf({ configs, metadata }: Declared): Place[] {
  return places.filter((place) => declaredAt({ schedule: "", configs, metadata }, place) !== undefined);
}

function declaredAt(declared: object, place: Place): unknown {
  return valueAt(Object(declared), place.split("/"));
}

function storedAt({ user_schedule, configs, metadata }: KeptTenant, place: Place): JsonValue | undefined {
  return valueAt({ schedule: user_schedule ?? "none", configs, metadata: metadata ?? {} }, place.split("/"));
}

async function others(on: Stage, id: string, { place, value }: Write): Promise<void> {
  const [setting = "", key = ""] = place.split("/");
  if (setting === "schedule") return on.changeByHand(id, { user_schedule: value });
  const tenant = await on.tenant(id);
  const current = setting === "configs" ? tenant.configs : tenant.metadata;
  await on.changeByHand(id, { [setting]: { ...current, [key]: value } });
}
