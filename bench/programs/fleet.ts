// One `TenantFleet` resource for all tenants.
import { readFileSync } from "node:fs";
import { TenantFleet } from "pulumi-integration-platform";

const tenants = JSON.parse(readFileSync("tenants.json", "utf8"));
new TenantFleet("all", { integration: "crm-to-billing", tenants });
