// Which declared tenants of a stack an incident concerns.
import type { NotedTenant } from "../pause-note/note.ts";
import type { DeclaredTenant, DeclaredTenants } from "./declared-tenants.ts";
import type { Incident } from "./incident.ts";

/** An integration and a name in one string. */
export function placeOf({ integrationId, name }: Pick<NotedTenant, "integrationId" | "name">): string {
  return `${integrationId} ${name}`;
}

/**
 * Whether a declared tenant is one of these: by the id that it adopts, as several tenants may have one name, or by its name if no
 * live tenant has that id.
 */
export function isOneOf(
  noted: readonly NotedTenant[],
  { isLiveId }: Pick<Incident, "isLiveId">,
): (tenant: DeclaredTenant) => boolean {
  const ids = new Set(noted.map(({ id }) => id));
  const places = new Set(noted.map(placeOf));
  return (tenant) => {
    const { adopt } = tenant;
    if (adopt !== undefined && (ids.has(adopt) || isLiveId(adopt))) return ids.has(adopt);
    return places.has(placeOf(tenant));
  };
}

/** Whether none of these declared tenants is a noted one, by its id or by its name. */
export function isDeclaredByNone(declared: readonly DeclaredTenant[]): Incident["isUndeclared"] {
  const ids = new Set(declared.map(({ adopt }) => adopt));
  const places = new Set(declared.map(placeOf));
  return (noted) => !ids.has(noted.id) && !places.has(placeOf(noted));
}

/**
 * The tenants that declare no `paused` and were paused before the incident. If an override has paused them, its end resumes those
 * that ran before it.
 */
export function pausedBefore({ tenants }: DeclaredTenants, incident: Incident): DeclaredTenant[] {
  const wasPaused = isOneOf(
    incident.mustStayPaused.filter((one) => one.wasPaused),
    incident,
  );
  return tenants.filter((tenant) => tenant.paused === undefined && wasPaused(tenant));
}

/**
 * The declared tenants of which the platform shows no live one. Where no stack declares the name of a noted tenant, somebody may
 * have changed its name or key in the files since the last `up`, so it may be one of these. Only the state knows which. So all of
 * them are covered then, and also if the whole integration is paused. That does no harm to a tenant that the next `up` creates.
 */
export function withoutLiveTenant({ tenants }: DeclaredTenants, incident: Incident) {
  const undeclared = new Set(
    incident.mustStayPaused.filter(incident.isUndeclared).map(({ integrationId }) => integrationId),
  );
  const notLive = tenants.filter(
    ({ adopt, integrationId, name }) =>
      !(adopt !== undefined && incident.isLiveId(adopt)) && !incident.isLive(integrationId, name),
  );
  return {
    renamed: notLive.filter(({ integrationId }) => undeclared.has(integrationId)),
    created: notLive.filter(({ integrationId }) => incident.wholeIntegrations.includes(integrationId)),
  };
}

/** Those that an `up` resumes, unless an override covers them. */
export function running(tenants: readonly DeclaredTenant[]): DeclaredTenant[] {
  return tenants.filter(({ paused }) => paused === false);
}
