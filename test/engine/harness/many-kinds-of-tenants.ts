import type { SeedTenant } from "../../../src/emulator/index.ts";
import { builtInSeed, readSeed } from "../../../src/emulator/seed/seed.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";

const regions = ["eu", "us", "uk", "ca", "ap", "au"];

/** Tenants of every kind that a platform may have after years without this package. */
export function manyKindsOfTenants(count: number): SeedTenant[] {
  return Array.from({ length: count }, (_, index) => (kinds[index % kinds.length] ?? plain)(index));
}

const plain = (index: number): SeedTenant => ({
  integration: "crm-to-billing",
  name: `customer-${index}`,
  configs: { region: regions[index % regions.length] ?? "eu", api_token: `plain-token-${index}`, batch_size: 50 },
});

/** The kinds, used in turn. */
const kinds: readonly ((index: number) => SeedTenant)[] = [
  plain,
  (index) => ({ ...plain(index), name: `Müller & Söhne GmbH #${index}: "Köln" 'Süd' 東京 \u2028 ${index}\n🙂` }),
  (index) => ({ ...plain(index), name: `${index}`, user_schedule: "*/15 8-18 * * 1-5", paused: false }),
  (index) => ({
    ...plain(index),
    name: `1_0${index}`,
    configs: { text: "zeile 1\n  zeile 2\t\u0085\u2029 ende ", list: [] },
  }),
  (index) => ({
    ...plain(index),
    configs: {
      mapping: { "a.b": "x", "1_000": "y", yes: "no", "line\nbreak": "z", "~": "" },
      on: "off",
      deep: deep(20),
    },
  }),
  (index) => ({ ...plain(index), integration_release_channel: "Latest", integration_release_id: null }),
  (index) => ({ ...plain(index), integration_release_channel: "Default", integration_release_id: null, configs: {} }),
  (index) => ({ ...plain(index), integration_release_id: 902, configs: { currency: "USD", ratio: -0.25, huge: 1e21 } }),
  (index) => ({
    ...plain(index),
    configs: { secure: "a text", hidden: { secure: "v1:abc" }, nothing: null, list: [null] },
  }),
  (index) => ({ ...plain(index), metadata: metadataOf(index), configs: { secure: "a text" } }),
  (index) => ({ ...plain(index), metadata: { secure: "a text" }, user_schedule: "@daily" }),
  (index) => ({
    ...plain(index),
    source: "marketplace",
    user_name: `user-${index}`,
    paused: false,
    status: { auth: { connected: true, connectors: [{ name: "crm", status: "connected" }] }, last_run: { id: index } },
  }),
  (index) => ({ ...plain(index), name: "Twin Ltd.", configs: { region: "eu", number: index } }),
  (index) => ({
    integration: "shop-to-erp",
    name: `shop-${index}`,
    metadata: { tier: "gold" },
    configs: { currency: "EUR" },
  }),
  (index) => ({
    integration: "hr-to-payroll",
    name: `customer-${index - 14}`,
    configs: { company_id: "", wrong: true },
  }),
];

function deep(levels: number): JsonObject {
  return levels === 0 ? {} : { level: deep(levels - 1) };
}

/** Only the first tenant of this kind is large, because a stack's config can hold 128 KiB. */
function metadataOf(index: number): JsonObject {
  const count = index === 9 ? 200 : 1;
  const notes = Array.from({ length: count }, (_, key) => [`key ${key}`, { value: `${index}-${key}`.repeat(5), key }]);
  return { plan: "gold", seats: index, notes: Object.fromEntries(notes) };
}

/** Names of integrations and tenants that have a meaning to the engine or to JavaScript. */
export const reserved = {
  integrations: [...readSeed(builtInSeed).integrations, { id: 104, name: "secure" }, { id: 105, name: "__proto__" }],
  tenants: [
    ...manyKindsOfTenants(45),
    { integration: "secure", name: "secure", configs: { region: "eu" } },
    { integration: "__proto__", name: "__proto__", configs: { region: "eu" } },
    { integration: "__proto__", name: "__defaults", configs: { region: "eu" } },
  ],
};
