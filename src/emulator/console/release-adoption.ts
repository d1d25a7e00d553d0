import { html } from "hono/html";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { AdoptionChange } from "../store/release-adoption.ts";
import { stackedChart } from "./chart.ts";
import { type Content, type Html, live, table } from "./elements.ts";
import type { View } from "./site.ts";

/** How many live tenants of an integration have which release: now, and since the first. The table is the chart's legend. */
export function releaseAdoption(view: View, integration: IntegrationRecord): Html {
  const changes = view.platform.store.releaseAdoption.list(integration.id);
  const now = view.platform.clock.now();
  const bands = bandsOf(view, changes);
  // Two parts, as the end of the chart moves with the time, and the table stays while nothing changes.
  return html`${live("adoption", countsNow(bands))} ${live("adoption-chart", chart(bands, now))}`;
}

/** A release, or several in one color. */
interface AdoptionBand {
  readonly name: string;
  /** The CSS class of its color. */
  readonly style: string;
  readonly releases: readonly ReleaseCount[];
}

interface ReleaseCount {
  readonly name: string;
  readonly changes: readonly AdoptionChange[];
  readonly tenantsNow: number;
}

/** As many as there are colors for releases. */
const shownReleases = 5;

/**
 * The newest releases, the earlier ones together, and no release. A release is newer than another if its first tenant came
 * later. So the colors of releases stay when another release gets its first tenant.
 */
function bandsOf(view: View, changes: readonly AdoptionChange[]): AdoptionBand[] {
  const countOf = (name: string, releaseId: number | null): ReleaseCount => {
    const own = changes.filter((change) => change.releaseId === releaseId);
    return { name, changes: own, tenantsNow: own.reduce((sum, { change }) => sum + change, 0) };
  };
  const nameOf = (id: number) => view.platform.store.releases.find(id)?.name ?? `Release ${id}, which does not exist`;
  const releaseIds = [...new Set(changes.map(({ releaseId }) => releaseId))].filter((id) => id !== null);
  const releases = releaseIds.map((id) => countOf(nameOf(id), id));
  const newest = releases
    .map((release, rank) => ({ name: release.name, style: `band-${rank % shownReleases}`, releases: [release] }))
    .slice(-shownReleases);
  const all: AdoptionBand[] = [
    ...newest.reverse(),
    { name: "Earlier releases", style: "band-earlier", releases: releases.slice(0, -shownReleases).reverse() },
    { name: "No release", style: "band-none", releases: [countOf("No release", null)] },
  ];
  return all.filter(({ releases }) => releases.some(({ changes }) => changes.length > 0));
}

function countsNow(bands: readonly AdoptionBand[]): Html {
  const total = bands.reduce((sum, band) => sum + tenantsNow(band), 0);
  const rows = bands.flatMap((band) =>
    rowsOf(band).map(({ name, tenantsNow }) => row(band.style, name, tenantsNow, total)),
  );
  const columns = ["Release", "Live tenants now", "Share"];
  return table({ caption: "Tenants by release", columns, rows, empty: "There are no tenants yet." });
}

/** Of a band for several releases, those that have tenants now. */
function rowsOf(band: AdoptionBand): readonly { readonly name: string; readonly tenantsNow: number }[] {
  const used = band.releases.filter(({ tenantsNow }) => tenantsNow > 0);
  return used.length > 0 ? used : [{ name: band.name, tenantsNow: 0 }];
}

function row(style: string, name: string, tenants: number, total: number): Content[] {
  const swatch = html`<span class="swatch ${style}" aria-hidden="true"></span>`;
  return [html`${swatch}${name}`, tenants, total === 0 ? "–" : `${Math.round((tenants / total) * 100)}%`];
}

function chart(bands: readonly AdoptionBand[], now: number): Html {
  if (bands.length === 0) return html``;
  const summary = bands.map((band) => `${band.name}: ${tenantsNow(band)}`);
  return stackedChart({
    label: `Live tenants by release over time. Now: ${summary.join(", ")}.`,
    bands: bands.map((band, index) => ({
      label: `${summary[index]} now`,
      style: band.style,
      changes: band.releases.flatMap(({ changes }) => changes),
    })),
    endsAt: now,
  });
}

function tenantsNow({ releases }: AdoptionBand): number {
  return releases.reduce((sum, release) => sum + release.tenantsNow, 0);
}
