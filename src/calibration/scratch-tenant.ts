import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ApiError, NotFoundError, type Tenant, type TenantPatch, ValidationError } from "../api/index.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { IntegrationScope } from "../operation/integration-scope.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { attempts } from "../operation/poll.ts";

const pattern = /^calibrate-[0-9a-f]{12}(-renamed)?$/;

/** How long an effect is looked for before the first one has shown how long lists lag, in seconds. */
const firstLagSeconds = 15;

/** What a request to the scratch tenant led to. */
export interface Written<Value> {
  /** Why the platform refused it, such as `422`; `undefined` if it accepted it. */
  refused?: string;
  /** What the answer shows; `undefined` if it shows nothing. */
  answer?: Value | undefined;
  before: Value;
  /** What reads show afterwards. */
  after: Value;
}

/** A tenant that a calibration has made for itself. */
export interface ScratchTenant {
  readonly tenant: Tenant;
  /** The longest time after which a list showed a write, in seconds. */
  readonly lagSeconds: number;
  patch(fields: TenantPatch): Promise<Written<Tenant>>;
  patchMetadata(data: JsonObject): Promise<Written<JsonObject>>;
}

/** The platform refuses the scratch tenant. */
export class ScratchTenantError extends Error {
  override readonly name = "ScratchTenantError";
}

/** The scratch tenants of an integration that a calibration has left behind: it was killed. */
export async function leftBehind({ tenants }: IntegrationScope): Promise<Tenant[]> {
  return [...(await tenants.all()).values()].filter(({ name }) => pattern.test(name));
}

/**
 * Makes a scratch tenant, does work with it, and archives it, whatever happens.
 *
 * @throws ApiError if the platform does not create it.
 */
export async function withScratchTenant<Result>(
  context: OperationContext,
  integration: IntegrationScope,
  configs: JsonObject,
  work: (scratch: ScratchTenant) => Promise<Result>,
): Promise<Result> {
  const name = `calibrate-${randomBytes(6).toString("hex")}`;
  let mayExist = true;
  try {
    const made = await context.client.tenants
      .create({ name, integration_id: integration.id, configs })
      .catch((error) => {
        mayExist = !(error instanceof ValidationError);
        throw mayExist ? error : notCreated(error);
      });
    return await work(await scratchTenant(context, integration, made));
  } finally {
    if (mayExist) await archiveNamed(context, integration, name);
  }
}

function notCreated(cause: Error): Error {
  return new ScratchTenantError(
    `the scratch tenant could not be created: ${cause.message} Give configs that the schema of the integration accepts with ` +
      "--configs FILE",
    { cause },
  );
}

/** Archives the tenant of this name, or of the one that it was given since. A list may lag behind its creation. */
async function archiveNamed(
  { client, consistencyTimeoutSeconds: deadlineSeconds }: OperationContext,
  integration: IntegrationScope,
  name: string,
): Promise<void> {
  const { signal } = new AbortController(); // also after Ctrl-C
  for await (const _ of attempts({ deadlineSeconds, pauses: { first: 0.25, longest: 2 }, signal })) {
    const listed = await integration.tenants.fetchFreshAll();
    const own = [...listed.values()].find((tenant) => tenant.name === name || tenant.name === `${name}-renamed`);
    if (own === undefined) continue;
    await client.tenants.archive(own.id);
    return;
  }
}

async function scratchTenant(
  context: OperationContext,
  integration: IntegrationScope,
  made: Tenant,
): Promise<ScratchTenant> {
  const { client, signal } = context;
  const { id } = made;
  let lagSeconds = 0;
  let hasShown = false;

  /** Reads until the value is another one than before, or until it can no longer become one. */
  const effectOf = async <Value>(before: Value, read: () => Promise<Value | undefined>): Promise<Value> => {
    const answeredAt = performance.now();
    const deadlineSeconds = hasShown ? Math.max(2, 2 * lagSeconds) : firstLagSeconds;
    let value = before;
    let reads = 0;
    for await (const _ of attempts({ deadlineSeconds, pauses: { first: 0.2, longest: 1 }, signal })) {
      value = (await read()) ?? value;
      reads += 1;
      if (isDeepStrictEqual(value, before)) continue;
      hasShown = true;
      if (reads > 1) lagSeconds = Math.max(lagSeconds, (performance.now() - answeredAt) / 1000);
      break;
    }
    return value;
  };
  const readTenant = async () => withoutTimes(await integration.tenants.fetchFresh(id));
  const readMetadata = async () => {
    try {
      return (await client.metadata.get(id)).data;
    } catch (error) {
      if (error instanceof NotFoundError) return {}; // as long as it has none
      throw error;
    }
  };

  let tenant = await effectOf<Tenant | undefined>(undefined, readTenant);
  if (tenant === undefined) throw new Error(`the scratch tenant ${made.name} (id ${id}) is in no list of tenants`);
  let metadata: JsonObject = await readMetadata();

  return {
    get tenant() {
      return tenant ?? made;
    },
    get lagSeconds() {
      return lagSeconds;
    },
    patch: async (fields) => {
      signal.throwIfAborted();
      const before = tenant ?? made;
      const sent = await accepted(() => client.tenants.update(id, fields));
      if ("refused" in sent) return { ...sent, before, after: before };
      const after = await effectOf(before, readTenant);
      tenant = after;
      return { answer: withoutTimes(sent.answer), before, after };
    },
    patchMetadata: async (data) => {
      signal.throwIfAborted();
      const before = metadata;
      const sent = await accepted(async () => (await client.metadata.update(id, data)).data);
      if ("refused" in sent) return { ...sent, before, after: before };
      metadata = await effectOf(before, readMetadata);
      return { ...sent, before, after: metadata };
    },
  };
}

/** The tenant without what changes by itself. */
function withoutTimes<Some extends Tenant | undefined>(tenant: Some): Some {
  return tenant && { ...tenant, modified_date: undefined, status: undefined };
}

const notARefusal: readonly unknown[] = [401, 403, 408, 429];

/** The answer of a request, or the status with which the platform refused it. Throws for any other failure. */
async function accepted<Value>(send: () => Promise<Value>): Promise<{ answer: Value } | { refused: string }> {
  try {
    return { answer: await send() };
  } catch (error) {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === undefined || status < 400 || status >= 500 || notARefusal.includes(status)) throw error;
    return { refused: String(status) };
  }
}
