import { randomInt } from "node:crypto";
import { ApiError, type Tenant, ValidationError } from "../../api/index.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { asRead } from "../../json/number-sources.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { describeLoan, isOver, type Loan, loanIn, runsTried } from "../../operation/loan.ts";
import { timeNow } from "../../operation/platform-time.ts";
import { poll, wait } from "../../operation/poll.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { moveTenant } from "../../resources/fleet-rollout/move.ts";
import { releaseRefOf } from "../../resources/fleet-rollout/release-ref.ts";
import { schemasOf } from "../../resources/tenant/desired.ts";
import { noHistory } from "../../resources/tenant/observed-tenant.ts";
import { requireNothingHidden } from "../../resources/tenant/protect.ts";
import { noSecrets } from "../../secrets/secret-table.ts";
import { HiddenValueError } from "../../settings/declared-keys.ts";
import { isMerge, keysPatch } from "../../settings/patch-ways.ts";
import { tryKeys } from "../../settings/portable-keys.ts";
import { messageOf } from "../output.ts";
import { CommandError } from "../subcommand.ts";
import { describeTenant } from "../tenants/find-tenant.ts";
import type { CommandContext } from "../with-platform.ts";

/** A tenant that this command has. */
export interface LentTenant {
  tenant: Tenant;
  loan: Loan;
  /** Whether the loan is recorded in its metadata: not with `--lock none`. */
  isRecorded: boolean;
}

/** What of a loan is known before there is a tenant, and how long the command may need the tenant. */
export interface WantedLoan extends Omit<Loan, "before" | "until"> {
  seconds: number;
}

/** Whom the command wants, what for, and how long it waits for them. */
export interface Wanted {
  candidates: readonly Tenant[];
  count: number;
  loan: WantedLoan;
  waitSeconds: number;
  isRecorded: boolean;
}

/**
 * Lends as many of the candidates as are wanted, or none. Those that others have are waited for.
 *
 * @throws CommandError if others still have too many of them when the time is over.
 */
export async function lendTenants(
  context: CommandContext,
  scope: IntegrationScope,
  { candidates, count, loan, waitSeconds, isRecorded }: Wanted,
): Promise<LentTenant[]> {
  if (!isRecorded) return Promise.all(candidates.slice(0, count).map((one) => unrecorded(context, scope, one, loan)));
  const deadline = performance.now() + waitSeconds * 1000;
  for (;;) {
    const found = await Promise.all(
      candidates.map(async (tenant) => ({ tenant, other: await holder(context, tenant) })),
    );
    const free = found.flatMap(({ tenant, other }) => (other === undefined ? [tenant] : []));
    if (free.length >= count) {
      // commands that begin at the same time should not all want the first one
      const chosen = shuffled(free).slice(0, count);
      const results = await Promise.allSettled(chosen.map((tenant) => lend(context, scope, tenant, loan)));
      const lent = results.flatMap((result) => (result.status === "fulfilled" ? (result.value ?? []) : []));
      if (lent.length === count) return lent;
      await Promise.all(lent.map(({ tenant, loan: own }) => removeRecord(uninterrupted(context), tenant, own)));
      for (const result of results) if (result.status === "rejected") throw result.reason;
      continue;
    }
    if (performance.now() >= deadline) throw takenByOthers(found, count);
    await wait(Math.min(randomInt(2000, 5000), Math.max(0, deadline - performance.now())), context.signal);
  }
}

/**
 * Records that this command has a tenant. Metadata has no compare-and-set, so two commands may write at the same time: the last
 * one has the tenant. A command looks again once each write must show that began before its own did, and goes on only if the
 * record is still its own. Nobody moves the tenant before.
 *
 * @returns `undefined` if another one has it.
 */
async function lend(
  context: CommandContext,
  scope: IntegrationScope,
  { id }: Pick<Tenant, "id">,
  wanted: WantedLoan,
): Promise<LentTenant | undefined> {
  const lagSeconds = context.consistencyTimeoutSeconds;
  const begun = performance.now();
  const metadata = await freshMetadata(context, id);
  const left = loanIn(metadata);
  if (left !== undefined) {
    if (!isOver(left, timeNow(context.client))) return undefined;
    await putBack(context, scope, { id }, left); // its command was killed
    return lend(context, scope, { id }, wanted);
  }
  const { tenant, loan } = await unrecorded(context, scope, { id }, wanted);
  let isLate = false;
  try {
    await writeRecord(context, scope, { tenant, metadata, loan });
    isLate = performance.now() - begun > (lagSeconds / 2) * 1000;
    await wait(2.5 * lagSeconds * 1000, context.signal);
  } catch (error) {
    const isRefused = error instanceof CommandError || (error instanceof ApiError && !error.mayHaveBeenApplied);
    if (!isRefused) await forgetLoan(uninterrupted(context), tenant, loan);
    throw error;
  }
  const shown = loanIn(await freshMetadata(context, id));
  if (shown === undefined) throw refusal(tenant, "it was sent, and does not show");
  if (shown.id !== loan.id) return undefined;
  if (!isLate) return { tenant, loan, isRecorded: true };
  await removeRecord(context, tenant, loan); // another one may have looked before this record showed
  return undefined;
}

/** Ends a loan that was requested, and may be recorded although it does not show yet. */
async function forgetLoan(context: CommandContext, tenant: Tenant, loan: Loan): Promise<void> {
  try {
    await poll({
      ask: () => freshMetadata(context, tenant.id),
      isDone: (metadata) => loanIn(metadata) !== undefined,
      deadlineSeconds: context.consistencyTimeoutSeconds,
      pauses: { first: 0.25, longest: 2 },
      signal: context.signal,
    });
    await removeRecord(context, tenant, loan);
  } catch (error) {
    context.warn(`tenant ${describeTenant(tenant)} may stay lent until ${loan.until}: ${messageOf(error)}`);
  }
}

/** Whether this command still has a tenant. */
export async function isStillLent(context: CommandContext, { tenant, loan, isRecorded }: LentTenant): Promise<boolean> {
  return !isRecorded || loanIn(await freshMetadata(context, tenant.id))?.id === loan.id;
}

/** Gives a tenant the release that is tried. */
export async function moveToTried(context: CommandContext, scope: IntegrationScope, lent: LentTenant): Promise<void> {
  if (runsTried(lent.tenant, lent.loan)) return;
  await moveTenant(context, scope, lent.tenant, String(lent.loan.release));
}

/**
 * Puts the former release back and removes the record, also after Ctrl-C. A tenant that does not run the release that was tried
 * stays as it is: it was not moved yet, or somebody else has moved it.
 *
 * @returns what else has happened to the tenant meanwhile, if anything.
 */
export async function putBack(
  context: CommandContext,
  scope: IntegrationScope,
  { id }: Pick<Tenant, "id">,
  loan: Loan,
  isRecorded = true,
): Promise<string | undefined> {
  const work = uninterrupted(context);
  if (isRecorded && loanIn(await freshMetadata(work, id))?.id !== loan.id) return "another command has ended its loan";
  const tenant = await poll({
    ask: () => scope.tenants.fetchFresh(id),
    isDone: (seen) => seen === undefined || runsTried(seen, loan),
    deadlineSeconds: work.consistencyTimeoutSeconds, // the move of a command that was killed may not show yet
    pauses: { first: 0.5, longest: 2 },
    signal: work.signal,
  });
  const former = releaseRefOf(loan.before);
  const isTried = tenant !== undefined && runsTried(tenant, loan);
  if (isTried && former !== undefined && former !== String(loan.release)) await moveTenant(work, scope, tenant, former);
  if (isRecorded) await removeRecord(work, { id }, loan);
  const isMovedByOthers = tenant !== undefined && !isTried && releaseRefOf(tenant) !== former;
  return isMovedByOthers ? "somebody else has given it another release" : undefined;
}

/** The tenant with what it runs now. */
async function unrecorded(
  { client }: CommandContext,
  { tenants }: IntegrationScope,
  { id }: Pick<Tenant, "id">,
  { seconds, ...wanted }: WantedLoan,
): Promise<LentTenant> {
  const tenant = await tenants.fetchFresh(id);
  if (tenant === undefined) throw new CommandError(`tenant ${id} was archived a moment ago`);
  const { integration_release_id: release, integration_release_channel: channel } = tenant;
  if (releaseRefOf(tenant) === undefined) {
    throw new CommandError(
      `the platform does not show which release tenant ${describeTenant(tenant)} runs, so it could not be put back`,
    );
  }
  const before = channel
    ? { integration_release_id: null, integration_release_channel: channel }
    : { integration_release_id: release ?? null, integration_release_channel: null };
  const until = new Date(timeNow(client).at.getTime() + seconds * 1000).toISOString();
  return { tenant, loan: { ...wanted, until, before }, isRecorded: false };
}

/** Whoever else has a tenant now. */
async function holder(context: CommandContext, { id }: Tenant): Promise<Loan | undefined> {
  const loan = loanIn(await freshMetadata(context, id));
  return loan === undefined || isOver(loan, timeNow(context.client)) ? undefined : loan;
}

/**
 * Records a loan in metadata that was read a moment ago.
 *
 * @throws CommandError if the metadata cannot take it.
 */
async function writeRecord(
  context: CommandContext,
  scope: IntegrationScope,
  { tenant, metadata, loan }: { tenant: Tenant; metadata: JsonObject; loan: Loan },
): Promise<void> {
  const settings = { metadata: { [tryKeys.loan]: loan } };
  const schemas = await schemasOf(context, scope, undefined, tenant);
  const desired = { settings, resolved: {}, removed: {}, schemas, secrets: noSecrets, secretPaths: [] };
  const observed = { integration: scope, id: tenant.id, tenant, metadata, isRead: true, history: noHistory };
  try {
    requireNothingHidden(context, desired, observed, "metadata");
    await sendKeys(context, tenant, metadata, settings.metadata);
  } catch (error) {
    throw isRefusal(error) ? refusal(tenant, error.message, { cause: error }) : error;
  }
}

function isRefusal(error: unknown): error is ValidationError | HiddenValueError {
  return error instanceof ValidationError || error instanceof HiddenValueError;
}

function refusal(
  tenant: Tenant,
  reason: string,
  { key = tryKeys.loan, cause }: { key?: string; cause?: Error } = {},
): CommandError {
  return new CommandError(
    `the metadata of tenant ${describeTenant(tenant)} cannot hold the key ${key}, which other commands need: ${reason}. Add --lock ` +
      "none, and let the pipeline run one try at a time",
    { cause },
  );
}

/** A key that the request that ends a loan writes too, and what makes its value of the one that was read. */
export interface LastNote {
  key: string;
  valueAfter(noted: JsonValue | undefined): JsonValue;
}

/**
 * Ends a loan whose tenant was not moved, also after Ctrl-C, and writes a note with the same request.
 *
 * @throws CommandError if the metadata cannot take the note.
 */
export async function endLoan(context: CommandContext, { tenant, loan }: LentTenant, note?: LastNote): Promise<void> {
  const work = uninterrupted(context);
  try {
    await removeRecord(work, tenant, loan, note);
  } catch (error) {
    if (note === undefined || !isRefusal(error)) throw error;
    await removeRecord(work, tenant, loan);
    throw refusal(tenant, error.message, { key: note.key, cause: error });
  }
}

/**
 * Ends the record of a loan that this command has, or has found. The key gets null, which no platform takes for a record, unless it is
 * known that leaving the key out removes it. It is sent once, as the key may be another command's by the next time.
 */
async function removeRecord(
  context: CommandContext,
  tenant: Pick<Tenant, "id">,
  loan: Loan,
  note?: LastNote,
): Promise<void> {
  const isOwn = (metadata: JsonObject) => loanIn(metadata)?.id === loan.id;
  const metadata = await freshMetadata(context, tenant.id);
  if (!isOwn(metadata)) return;
  const isReplaced = keysPatch(context.platform, "metadata") === "replace";
  const noted = note === undefined ? {} : { [note.key]: note.valueAfter(metadata[note.key]) };
  await sendKeys(context, tenant, metadata, { ...(!isReplaced && { [tryKeys.loan]: null }), ...noted });
  const seen = await poll({
    ask: () => freshMetadata(context, tenant.id),
    isDone: (now) => !isOwn(now),
    deadlineSeconds: context.consistencyTimeoutSeconds,
    pauses: { first: 0.25, longest: 2 },
    signal: context.signal,
  });
  if (!isOwn(seen)) return;
  throw new CommandError(
    `the key ${tryKeys.loan} stays in the metadata of tenant ${tenant.id}: remove it in the console, or nobody can try it`,
  );
}

/** Sends the metadata with these keys, and without a record of a loan if they have none. */
async function sendKeys(
  { client, platform }: CommandContext,
  { id }: Pick<Tenant, "id">,
  metadata: JsonObject,
  keys: JsonObject,
): Promise<void> {
  const { [tryKeys.loan]: _, ...others } = isMerge(keysPatch(platform, "metadata")) ? {} : asRead(metadata);
  await client.metadata.update(id, { ...others, ...keys });
}

/** The metadata of a live tenant as it is now. */
export async function freshMetadata(context: CommandContext, id: number): Promise<JsonObject> {
  return (await readMetadata(context, context.snapshot.tenantsOf(), id)) ?? {};
}

/** The same context after Ctrl-C too: what was lent is always put back. */
function uninterrupted(context: CommandContext): CommandContext {
  return { ...context, signal: new AbortController().signal };
}

function takenByOthers(found: readonly { tenant: Tenant; other: Loan | undefined }[], count: number): CommandError {
  const taken = found.flatMap(({ tenant, other }) =>
    other === undefined ? [] : [`${describeTenant(tenant)} is lent to ${describeLoan(other)}`],
  );
  const free = found.length - taken.length;
  return new CommandError(
    `${count} test ${count === 1 ? "tenant is" : "tenants are"} wanted, and ${free} of ${found.length} ` +
      `${free === 1 ? "is" : "are"} free${taken.length > 0 ? `: ${taken.join("; ")}` : ""}. Wait for them with --wait, or name more tenants`,
  );
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: randomInt(2 ** 32) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
