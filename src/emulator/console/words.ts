import { html } from "hono/html";
import { isJsonObject } from "../entities/json.ts";
import type { RunPhase } from "../entities/run.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { isConnected } from "../operations/connection.ts";
import { resolveRelease } from "../operations/resolve-release.ts";
import type { Platform } from "../platform.ts";
import { statusWord } from "../presenting/run.ts";
import { badge, type Content, type Html } from "./elements.ts";

// What the console calls the states of things.

/** Whether a tenant is live, running and connected. */
export function stateBadges(platform: Platform, tenant: TenantRecord): Html {
  if (tenant.archived) return badge("archived", "plain");
  return html`${tenant.paused === false ? badge("active", "good") : badge("paused", "plain")}
    ${isConnected(platform, tenant) ? badge("connected", "good") : badge("not connected", "busy")}`;
}

/** The release that a tenant runs, and the channel by which it does. */
export function releaseName(platform: Platform, tenant: TenantRecord): Content {
  const release = resolveRelease(platform, tenant.integration_id, tenant);
  const channel = tenant.integration_release_channel;
  if (!release) return channel ?? "–";
  return channel === null ? release.name : html`${release.name} <small>by ${channel}</small>`;
}

/** Where a run stands, by the run as a tenant's status keeps it; a dash for none. */
export function phaseBadge(platform: Platform, kept: unknown): Content {
  if (!isJsonObject(kept) || !isJsonObject(kept.status)) return "–";
  const { phase } = kept.status;
  const badgeOf = isPhase(phase) ? runBadge(platform, phase) : badge(String(phase ?? "–"), "plain");
  return typeof kept.id === "number" ? html`<a href="/console/runs/${kept.id}">${badgeOf}</a>` : badgeOf;
}

/** Where a run stands. */
export function runBadge({ variants }: Platform, phase: RunPhase): Html {
  return badge(statusWord(variants.statusWords, phase), tones[phase]);
}

const tones = { pending: "busy", running: "busy", succeeded: "good", failed: "bad" } as const;

function isPhase(value: unknown): value is RunPhase {
  return typeof value === "string" && Object.hasOwn(tones, value);
}
