import { createHash, randomBytes } from "node:crypto";
import { timestamp } from "../clock.ts";
import type { ApiKeyRecord } from "../entities/settings.ts";
import type { Platform } from "../platform.ts";
import { NotFound } from "../rules/problems.ts";

/** An API key, as the console lists it. */
export type ApiKey = Omit<ApiKeyRecord, "digest">;

/** Creates an API key (specification, "Authentication"). Only this call returns the key itself: it is not stored. */
export function createApiKey(platform: Platform, name: string): ApiKey & { readonly key: string } {
  const key = randomBytes(24).toString("base64url");
  return { ...withoutDigest(addKey(platform, name, key)), key };
}

/** All API keys, also revoked ones, oldest first. */
export function listApiKeys({ store }: Platform): ApiKey[] {
  return store.apiKeys.listWhere("TRUE").map(withoutDigest);
}

/** Revokes an API key. Revoking it again changes nothing. @throws NotFound */
export function revokeApiKey({ store, clock }: Platform, id: number): ApiKey {
  const record = store.apiKeys.find(id);
  if (!record) throw new NotFound(`API key ${id} not found`);
  const revoked = { ...record, revoked_date: record.revoked_date ?? timestamp(clock) };
  store.apiKeys.write(revoked);
  return withoutDigest(revoked);
}

/** Sets the API key that the emulator was started with. The key of an earlier start is no longer valid. */
export function setStartKey(platform: Platform, key: string): void {
  const { store } = platform;
  const previous = store.apiKeys.findWhere("document ->> '$.name' = ?", startKeyName);
  if (previous) store.apiKeys.write({ ...previous, digest: digestOf(key), revoked_date: null });
  else addKey(platform, startKeyName, key);
}

/** Whether an API key exists and is not revoked. */
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

// A lookup by digest takes the same time however many characters of a wrong key are right.
function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function withoutDigest({ digest, ...key }: ApiKeyRecord): ApiKey {
  return key;
}
