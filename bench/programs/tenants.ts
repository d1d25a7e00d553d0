// One `Tenant` resource per tenant.
import { readFileSync } from "node:fs";
import { Tenant } from "pulumi-integration-platform";

const tenants: object = JSON.parse(readFileSync("tenants.json", "utf8"));
for (const [name, args] of Object.entries(tenants)) new Tenant(name, { integration: "crm-to-billing", ...args });
