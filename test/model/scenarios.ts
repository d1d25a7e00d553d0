import type { Command, Declared, Program } from "./program.ts";

/** A command on a program, and the external change before it. */
export interface ScenarioStep {
  readonly program: Program;
  readonly command: Command;
  /** An external change of the live tenant with that name, before the command. */
  readonly byHand?: { readonly name: string; readonly deed: "archive" | "pause" };
  /** A request that the platform refuses during the command. */
  readonly refused?: { readonly method: string; readonly path: string };
}

/** A short story whose calls were recorded from the engine. The driver must make the same calls. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly ScenarioStep[];
}

const up = { kind: "up" } as const;
const upWithRefresh = { kind: "up", refresh: true } as const;
const upWithPreview = { kind: "up", preview: true } as const;

function tenant(name: string, args: Declared["args"] = {}, more: Partial<Declared> = {}): Declared {
  return { type: "Tenant", name, args: { integration: "crm-to-billing", ...args }, ...more };
}

function sync(of: string): Declared {
  const tenantId = { $of: `Tenant ${of}`, property: "tenantId" };
  return { type: "SyncTrigger", name: `${of}-sync`, args: { tenantId, mode: "normal", triggers: { of } } };
}

const fleet: Declared = {
  type: "TenantFleet",
  name: "billing",
  args: { integration: "crm-to-billing", tenants: { delta: { configs: { region: "eu" } }, echo: {} } },
};

const acme = tenant("acme", { configs: { region: "eu" } });
const three = [acme, tenant("bluebird"), tenant("cedar")];
const refusedMetadata = { method: "PATCH", path: "/metadata$" };

/** The scenarios in which the driver is compared with the engine. */
export const scenarios: readonly Scenario[] = [
  {
    name: "create, nothing to do, update, destroy",
    steps: [
      { program: [...three, sync("acme"), fleet], command: up },
      { program: [...three, sync("acme"), fleet], command: up },
      {
        program: [tenant("acme", { configs: { region: "us" } }), ...three.slice(1), sync("acme"), fleet],
        command: up,
      },
      { program: [], command: { kind: "destroy" } },
    ],
  },
  {
    name: "preview, up with preview",
    steps: [
      { program: [acme, sync("acme")], command: { kind: "preview" } },
      { program: [acme, sync("acme")], command: upWithPreview },
      { program: [tenant("acme", { configs: { region: "us" } }), sync("acme")], command: upWithPreview },
      { program: [tenant("acme", { configs: { region: "us" } })], command: { kind: "preview", refresh: true } },
      { program: [], command: upWithPreview },
    ],
  },
  {
    name: "removal of two",
    steps: [
      { program: three, command: up },
      { program: [acme], command: up },
    ],
  },
  {
    name: "removal of two with refresh",
    steps: [
      { program: three, command: up },
      { program: [acme], command: upWithRefresh },
    ],
  },
  {
    name: "rename without alias",
    steps: [
      { program: [acme, tenant("bluebird")], command: up },
      { program: [tenant("new-key", { name: "acme", configs: { region: "eu" } }), tenant("bluebird")], command: up },
    ],
  },
  {
    name: "rename without alias, with refresh",
    steps: [
      { program: [acme, tenant("bluebird")], command: up },
      {
        program: [tenant("new-key", { name: "acme", configs: { region: "eu" } }), tenant("bluebird")],
        command: upWithRefresh,
      },
    ],
  },
  {
    name: "rename with alias",
    steps: [
      { program: [acme, sync("acme")], command: up },
      { program: [tenant("new-key", { name: "acme" }, { aliases: ["acme"] })], command: up },
    ],
  },
  {
    name: "replacement by another integration",
    steps: [
      { program: [acme, sync("acme"), tenant("bluebird")], command: up },
      {
        program: [tenant("acme", { integration: "shop-to-erp" }), sync("acme"), tenant("bluebird")],
        command: up,
      },
      { program: [acme, sync("acme"), tenant("bluebird")], command: { ...upWithRefresh, preview: true } },
    ],
  },
  {
    name: "forced replacement",
    steps: [
      { program: [acme, sync("acme"), tenant("bluebird")], command: up },
      { program: [acme, sync("acme"), tenant("bluebird")], command: { ...up, replace: ["Tenant acme"] } },
    ],
  },
  {
    name: "replaceOnChanges",
    steps: [
      { program: [acme, sync("acme")], command: up },
      {
        program: [tenant("acme", { configs: { region: "us" } }, { replaceOnChanges: ["configs"] }), sync("acme")],
        command: upWithPreview,
      },
    ],
  },
  {
    name: "target",
    steps: [
      { program: three, command: up },
      {
        program: [tenant("acme", { configs: { region: "us" } }), tenant("bluebird", { configs: { region: "us" } })],
        command: { ...up, target: ["Tenant acme"] },
      },
      { program: [acme], command: { ...upWithRefresh, target: ["Tenant acme"] } },
    ],
  },
  {
    name: "refresh alone",
    steps: [
      { program: [...three, sync("acme"), fleet], command: up },
      {
        program: [...three, sync("acme"), fleet],
        command: { kind: "refresh" },
        byHand: { name: "acme", deed: "pause" },
      },
      {
        program: [...three, sync("acme"), fleet],
        command: { kind: "refresh" },
        byHand: { name: "bluebird", deed: "archive" },
      },
      { program: [...three, sync("acme"), fleet], command: up },
    ],
  },
  {
    name: "create that fails",
    steps: [
      {
        program: [acme],
        command: up,
        refused: { method: "POST", path: "^/v2/tenants$" },
      },
      {
        program: [acme, tenant("bluebird")],
        command: up,
      },
      { program: [tenant("dune")], command: up, refused: { method: "POST", path: "^/v2/tenants$" } },
      { program: [tenant("dune")], command: up },
    ],
  },
  {
    name: "create that is done in part",
    steps: [
      { program: [tenant("acme", { metadata: { plan: "gold" } })], command: up, refused: refusedMetadata },
      { program: [tenant("acme", { metadata: { plan: "gold" } })], command: { kind: "preview" } },
      { program: [tenant("acme", { metadata: { plan: "gold" } })], command: up },
    ],
  },
  {
    name: "update that is done in part",
    steps: [
      { program: [acme, tenant("bluebird")], command: up },
      {
        program: [tenant("acme", { configs: { region: "us" }, metadata: { plan: "gold" } })],
        command: up,
        refused: refusedMetadata,
      },
      {
        program: [tenant("acme", { configs: { region: "us" }, metadata: { plan: "gold" } })],
        command: upWithRefresh,
      },
    ],
  },
  {
    name: "check that fails",
    steps: [
      { program: [acme, tenant("bluebird")], command: up },
      { program: [tenant("acme", { schedule: "no cron" }), tenant("bluebird"), tenant("cedar")], command: up },
      { program: [tenant("acme", { schedule: "no cron" })], command: upWithRefresh },
    ],
  },
  {
    name: "delete that fails",
    steps: [
      { program: three, command: up },
      { program: [], command: up, refused: { method: "DELETE", path: "^/v2/tenants/" } },
      { program: [], command: upWithRefresh },
    ],
  },
];
