import { createHash, randomBytes } from "node:crypto";
import { timestamp } from "../clock.ts";
import type { ApiKeyRecord } from "../entities/api-key.ts";
import { NotFound } from "../http/problems.ts";
import type { Platform } from "../platform.ts";

/** A key as the console lists it. */
export type ApiKey = Omit<ApiKeyRecord, "digest">;

/** Makes a key (specification, "Authentication"). The key itself is told this once and kept nowhere. */
export function createApiKey(platform: Platform, name: string): ApiKey & { readonly key: string } {
  const key = randomBytes(24).toString("base64url");
  return { ...shown(addKey(platform, name, key)), key };
}

/** Revoked keys too, oldest first. */
export function listApiKeys({ store }: Platform): ApiKey[] {
  return store.apiKeys.listWhere("TRUE").map(shown);
}

/** From now on the key is refused. A revoked one stays so. @throws NotFound */
export function revokeApiKey({ store, clock }: Platform, id: number): ApiKey {
  const record = store.apiKeys.find(id);
  if (!record) throw new NotFound(`API key ${id} not found`);
  const revoked = { ...record, revoked_date: record.revoked_date ?? timestamp(clock) };
  store.apiKeys.write(revoked);
  return shown(revoked);
}

/** The key that the emulator is started with: valid from the start on, the one of an earlier start no more. */
export function setStartKey(platform: Platform, key: string): void {
  const { store } = platform;
  const previous = store.apiKeys.findWhere("document ->> '$.name' = ?", startKeyName);
  if (previous) store.apiKeys.write({ ...previous, digest: digestOf(key), revoked_date: null });
  else addKey(platform, startKeyName, key);
}

/** Whether a key is one that was made and not revoked. */
export function isValidKey({ store }: Platform, key: string): boolean {
  return store.apiKeys.findWhere("digest = ? AND document ->> '$.revoked_date' IS NULL", digestOf(key)) !== undefined;
}

const startKeyName = "given at the start";

function addKey({ store, clock }: Platform, name: string, key: string): ApiKeyRecord {
  const id = store.apiKeys.nextId();
  const record = { id, name, digest: digestOf(key), created_date: timestamp(clock), revoked_date: null };
  store.apiKeys.write(record);
  return record;
}

// Keys are looked up by their digest, so no comparison tells by its time how much of a key was right.
function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function shown({ digest, ...key }: ApiKeyRecord): ApiKey {
  return key;
}
