import { eventHandlers } from "pulumi-integration-platform/receiver/events";

export const handler = eventHandlers({
  onTenantCreated: (tenant, { ingestId }) => console.log(`welcome, ${tenant.tenant_name} (event ${ingestId})`),
  onRunFailed: (run) => console.log(`${run.tenant_name}: run ${run.run_id} ${run.run_status}, see ${run.admin_link}`),
});
