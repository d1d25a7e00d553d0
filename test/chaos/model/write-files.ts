import { stringify } from "yaml";
import type { Project } from "../../engine/harness/create-project.ts";
import { ownRunWords } from "../../own-run-words.ts";
import {
  canary,
  type Declared,
  type Entries,
  type Entry,
  type FleetKey,
  fleetKeys,
  integrationName,
  type Override,
  type Rolling,
  type Value,
} from "./declared.ts";

const tenantDefaults = { integration: integrationName, forceArchive: true, schedule: "30 3 * * *" };
const fleetDefaults = { schedule: "45 4 * * *", configs: { region: "eu", mapping: { source: "chaos" } } };

/** Where the tenants of the fleet stand that have no secret. */
export const tenantsFile = "tenants.yaml";

export interface Filling {
  /** The round's secrets, and its API key, as a stack's file holds them. */
  readonly secrets: readonly unknown[];
  readonly apiKey: unknown;
  /** Whether tenants that exist are taken over and changed, and a release that exists is taken for that of the build. */
  readonly adopts: boolean;
}

/** Writes what is declared as the files of a stack. */
export async function writeFiles(
  project: Project,
  { tenants, fleet, rolling, build, overrides }: Declared,
  { secrets, apiKey, adopts }: Filling,
): Promise<void> {
  const adopt = adopts ? { adopt: true } : {};
  const shown = (entries: Entries) => mapValues(entries, (entry) => withSecrets(entry, secrets));
  const fleets = {
    [fleetKeys.plain]: {
      integration: integrationName,
      forceArchive: true,
      ...adopt,
      defaults: fleetDefaults,
      tenantsFrom: tenantsFile,
      tenants: shown(onlyTokens(fleet)),
      sync: { mode: "normal", on: ["configs"], timeoutSeconds: 60 },
      overrides: overridesOf(overrides, fleetKeys.plain),
    },
    [fleetKeys.rolling]: {
      integration: integrationName,
      forceArchive: true,
      ...adopt,
      defaults: { ...fleetDefaults, paused: false, release: { tag: rolling.tag } },
      tenants: shown(rolling.tenants),
      rollout: strategyOf(rolling),
      overrides: overridesOf(overrides, fleetKeys.rolling),
    },
  };
  await project.put(tenantsFile, stringify(mapValues(fleet, withoutToken)));
  await project.writeStackYaml(
    stringify({
      config: {
        "integration-platform:apiKey": apiKey,
        "integration-platform:allowNoTenants": true,
        "integration-platform:succeededStatuses": ownRunWords.succeededStatuses,
        "integration-platform:failedStatuses": ownRunWords.failedStatuses,
        "integration-platform:builds": { nightly: { integration: integrationName, ...build, ...adopt } },
        "integration-platform:overrides": overridesOf(overrides),
        "integration-platform:tenantDefaults": { ...tenantDefaults, ...adopt },
        "integration-platform:tenants": shown(tenants),
        ...(Object.keys(rolling.tenants).length > 0 && { "integration-platform:fleets": fleets }),
      },
    }),
  );
}

/** Nobody has to be proven, so that a rollout ends although some customers never connect. Those who can sync are proven. */
function strategyOf({ onFailure }: Rolling) {
  return {
    waves: [{ name: "canary", tenants: [canary] }, { percent: 40 }, { percent: 70 }, { percent: 100 }],
    gate: { minTenants: 0 },
    maxUnavailable: "100%",
    onFailure,
    waitSeconds: 15,
  };
}

/** The overrides that a fleet declares, or the stack. */
function overridesOf(overrides: readonly Override[], fleet?: FleetKey) {
  return overrides
    .filter((override) => override.fleet === fleet)
    .map(({ reason, tenants }) => ({ paused: true, reason, ...(tenants === undefined ? {} : { tenants }) }));
}

/** The secrets of a fleet, which its file cannot hold. */
function onlyTokens(fleet: Entries): Entries {
  const tokens = Object.entries(fleet).flatMap(([key, { configs }]): [string, Entry][] =>
    configs?.api_token === undefined ? [] : [[key, { configs: { api_token: configs.api_token } }]],
  );
  return Object.fromEntries(tokens);
}

function withoutToken({ configs, ...entry }: Entry): Entry {
  if (configs === undefined) return entry;
  const { api_token: _, ...others } = configs;
  return { ...entry, configs: others };
}

function withSecrets(entry: Entry, secrets: readonly unknown[]) {
  const { configs, ...others } = entry;
  return configs === undefined ? others : { ...others, configs: mapValues(configs, (value) => plain(value, secrets)) };
}

function plain(value: Value, secrets: readonly unknown[]): unknown {
  return typeof value === "object" && "secret" in value && typeof value.secret === "number"
    ? secrets[value.secret]
    : value;
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(value)]));
}
