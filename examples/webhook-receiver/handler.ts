import { eventHandlers } from "pulumi-integration-platform/receiver/events";
import { idempotent } from "pulumi-integration-platform/receiver/idempotency";

const handlers = eventHandlers({
  onTenantCreated: (tenant, { ingestId }) => console.log(`welcome, ${tenant.tenant_name} (event ${ingestId})`),
  onRunFailed: (run) => console.log(`${run.tenant_name}: run ${run.run_id} ${run.run_status}, see ${run.admin_link}`),
});

// An event may arrive twice. The ledger remembers which events are handled.
export const handler = idempotent(handlers, { tableName: process.env.LEDGER_TABLE });
