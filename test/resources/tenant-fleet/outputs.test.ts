import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { TenantFleet } from "../../../src/index.ts";
import { resolved } from "../../stack/stack-folder.ts";

const tenants = { acme: { tenantId: 5001 }, cedar: { tenantId: 5002 } };

beforeAll(() =>
  pulumi.runtime.setMocks({
    call: ({ inputs }) => inputs,
    newResource: ({ name, inputs }) => {
      const tenantIds = name === "older" ? {} : { tenantIds: { acme: 5001, cedar: 5002 } };
      return { id: "101/billing", state: { ...inputs, integrationId: 101, tenants, ...tenantIds } };
    },
  }),
);

test.each(["older", "current"])("the ids of the tenants are known from a state of this version: %s", async (name) => {
  const fleet = new TenantFleet(name, { integration: "crm-to-billing", tenants: { acme: {}, cedar: {} } });
  expect(await resolved(fleet.tenantIds)).toEqual({ acme: 5001, cedar: 5002 });
  expect(await resolved(fleet.tenants)).toEqual(tenants);
});
