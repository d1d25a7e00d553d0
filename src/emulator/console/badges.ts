import { html } from "hono/html";
import type { TenantRecord } from "../entities/tenant.ts";
import { isConnected } from "../operations/connection.ts";
import { resolveRelease } from "../operations/resolve-release.ts";
import type { Platform } from "../platform.ts";
import { isJsonObject } from "../rules/json.ts";
import { isRunPhase, type RunPhase, statusWord } from "../rules/status-words.ts";
import { badge, type Content, type Html } from "./elements.ts";

/** Whether a tenant is archived, paused and connected. */
export function stateBadges(platform: Platform, tenant: TenantRecord): Html {
  if (tenant.archived) return badge("archived", "plain");
  return html`${tenant.paused === false ? badge("active", "good") : badge("paused", "plain")}
    ${isConnected(platform, tenant) ? badge("connected", "good") : badge("not connected", "busy")}`;
}

/** The name of the release that a tenant runs, and the channel that selects it. */
export function releaseName(platform: Platform, tenant: TenantRecord): Content {
  const release = resolveRelease(platform, tenant.integration_id, tenant);
  const channel = tenant.integration_release_channel;
  if (!release) return channel ?? "–";
  return channel === null ? release.name : html`${release.name} <small>by ${channel}</small>`;
}

/** The phase of the run that a tenant's status holds, with a link to the run; a dash when it holds none. */
export function runSummaryBadge(platform: Platform, summary: unknown): Content {
  if (!isJsonObject(summary) || !isJsonObject(summary.status)) return "–";
  const { phase } = summary.status;
  const phaseBadge = isRunPhase(phase) ? runBadge(platform, phase) : badge(String(phase ?? "–"), "plain");
  return typeof summary.id === "number" ? html`<a href="/console/runs/${summary.id}">${phaseBadge}</a>` : phaseBadge;
}

/** The phase of a run, in the word that the API has for it. */
export function runBadge({ variants }: Platform, phase: RunPhase): Html {
  return badge(statusWord(variants.statusWords, phase), tones[phase]);
}

const tones = { pending: "busy", running: "busy", succeeded: "good", failed: "bad" } as const;
