import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { unknownValue } from "../../src/json/unknown.ts";
import { previewedOutputs } from "../../src/plugin/previewed-outputs.ts";
import { proposedName } from "../../src/plugin/proposed-name.ts";
import {
  CheckRequest_AutonamingOptions_Mode as Mode,
  CheckRequest_AutonamingOptionsSchema as optionsSchema,
} from "../../src/plugin/wire/protocol_pb.ts";

const proposal = create(optionsSchema, { proposedName: "acme-1f2e", mode: Mode.PROPOSE });
const disabled = create(optionsSchema, { proposedName: "", mode: Mode.DISABLE });

test("a tenant without a name has that of its resource, also after the resource was renamed", () => {
  const request = { name: "acme", autonaming: undefined };
  expect(proposedName("Tenant", request, {}, undefined).added).toEqual({ name: "acme" });
  expect(proposedName("Tenant", request, {}, { name: "before" }).added).toEqual({ name: "acme" });
  expect(proposedName("Tenant", request, { name: "own" }, undefined).added).toEqual({});
  expect(proposedName("SyncTrigger", request, {}, undefined).added).toEqual({});
});

test("configured autonaming names a new tenant, and an existing one keeps its name", () => {
  const request = { name: "acme", autonaming: proposal };
  expect(proposedName("Tenant", request, {}, undefined).added).toEqual({ name: "acme-1f2e" });
  expect(proposedName("Tenant", request, {}, { name: "before" }).added).toEqual({ name: "before" });
  expect(proposedName("TenantFleet", request, {}, undefined).added).toEqual({ name: "acme" });
});

test("without autonaming, a tenant needs a name", () => {
  const request = { name: "acme", autonaming: disabled };
  expect(proposedName("Tenant", request, {}, undefined).failures).toHaveLength(1);
  expect(proposedName("Tenant", request, { name: "own" }, undefined).failures).toEqual([]);
});

test("a preview knows what an override has taken from a tenant, and that nothing is taken without one", () => {
  const [override, overridden] = [{ paused: true, reason: "INC-42" }, { paused: false }];
  expect(previewedOutputs("Tenant", { override }, { overridden })).toMatchObject({ overridden });
  expect(previewedOutputs("Tenant", { override }, {})).toMatchObject({ overridden: unknownValue });
  expect(previewedOutputs("Tenant", {}, { overridden })).not.toHaveProperty("overridden");
});

test("a preview does not know what waits of a tenant of which something did, and nothing waits of the others", () => {
  const waitingFor = [{ path: ["paused"], reason: "it is not connected", until: "connected" }];
  expect(previewedOutputs("Tenant", {}, { waitingFor })).toMatchObject({ waitingFor: unknownValue });
  expect(previewedOutputs("Tenant", {}, {})).not.toHaveProperty("waitingFor");
  const before = { tenants: { a: { tenantId: 5, waitingFor }, b: { tenantId: 6 } } };
  expect(previewedOutputs("TenantFleet", { tenants: { a: {}, b: {} } }, before).tenants).toEqual({
    a: { tenantId: 5, waitingFor: unknownValue },
    b: { tenantId: 6 },
  });
});

test("a preview knows the ids of tenants that exist, and no others", () => {
  expect(previewedOutputs("Tenant", {})).toEqual({ tenantId: unknownValue, integrationId: unknownValue });
  expect(previewedOutputs("Tenant", {}, { tenantId: 5, integrationId: 101 })).toEqual({
    tenantId: 5,
    integrationId: 101,
  });
  const before = { integrationId: 101, tenants: { a: { tenantId: 5 }, gone: { tenantId: 6 } } };
  expect(previewedOutputs("TenantFleet", { tenants: { a: { paused: true }, b: {}, c: unknownValue } }, before)).toEqual(
    {
      integrationId: 101,
      tenantIds: { a: 5, b: unknownValue, c: unknownValue },
      tenants: { a: { paused: true, tenantId: 5 }, b: { tenantId: unknownValue }, c: unknownValue },
    },
  );
  expect(previewedOutputs("TenantFleet", { tenants: unknownValue }, before)).toEqual({
    integrationId: 101,
    tenantIds: unknownValue,
  });
});

test("a preview does not know outputs of what may turn out to be another build or tenant", () => {
  const before = { releaseId: 301, releaseName: "v1", tag: "v1" };
  const known = { releaseId: 301, releaseName: "v1" };
  expect(previewedOutputs("Build", { integrationId: 101, tag: "v1" }, before)).toMatchObject(known);
  for (const key of ["integrationId", "tag", "branch"]) {
    const outputs = previewedOutputs("Build", { integrationId: 101, tag: "v1", [key]: unknownValue }, before);
    expect(new Set(Object.values(outputs))).toEqual(new Set([unknownValue]));
  }
  const moving = previewedOutputs("Tenant", { integration: unknownValue }, { tenantId: 5, integrationId: 101 });
  expect(moving).toEqual({ tenantId: unknownValue, integrationId: unknownValue });
});

test("a preview of a fleet does not know how syncs end and what new overrides take", () => {
  const [override, overridden] = [{ paused: true, reason: "INC-42" }, { paused: false }];
  const ended = { triggerId: "t", status: "done", outcome: "succeeded", secondsWaited: 2 };
  const notKnown = Object.fromEntries(Object.keys(ended).map((key) => [key, unknownValue]));
  const entries = (inputs: object, tenants: object = {}) =>
    previewedOutputs("TenantFleet", { ...inputs }, { tenants }).tenants;

  const own = { a: { sync: { mode: "init" }, override }, b: {}, c: { sync: unknownValue, override: unknownValue } };
  expect(entries({ tenants: own }, { a: { tenantId: 5, sync: ended, overridden }, b: { tenantId: 6 } })).toEqual({
    a: { tenantId: 5, override, sync: { mode: "init", ...notKnown }, overridden },
    b: { tenantId: 6 },
    c: { tenantId: unknownValue, override: unknownValue, sync: unknownValue, overridden: unknownValue },
  });
  expect(entries({ sync: { mode: "init" }, override, tenants: { a: {} } })).toEqual({
    a: { tenantId: unknownValue, sync: notKnown, overridden: unknownValue },
  });
  expect(entries({ tenants: { a: {} } }, { a: { tenantId: 5, sync: ended, overridden } })).toEqual({
    a: { tenantId: 5, sync: notKnown },
  });
});

test("a preview of a fleet does not know the plan of its rollout, if it has one", () => {
  const before = { integrationId: 101, tenants: {}, rolloutPlan: { number: 1 } };
  const rollout = { release: { id: 502 } };
  expect(previewedOutputs("TenantFleet", { tenants: {}, rollout }, before)).toMatchObject({
    rolloutPlan: unknownValue,
  });
  expect(previewedOutputs("TenantFleet", { tenants: {} }, before)).not.toHaveProperty("rolloutPlan");
});

test("what a rollout's update may change is not known in a preview", () => {
  const keys = ["phase", "status", "release", "moved", "tenants", "remaining", "history"];
  const before = { phase: "done", status: "done", release: 501, moved: 3, tenants: 3, remaining: "", history: [] };
  const unknown = Object.fromEntries(keys.map((key) => [key, unknownValue]));
  expect(previewedOutputs("FleetRollout", {}, before)).toEqual(unknown);
});

test("what a sync's update may change is not known in a preview", () => {
  expect(previewedOutputs("SyncTrigger", {}, { triggerId: "t", outcome: "succeeded" })).toMatchObject({
    triggerId: unknownValue,
    outcome: unknownValue,
  });
});
