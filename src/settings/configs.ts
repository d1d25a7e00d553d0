import { keysSetting } from "./keys-setting.ts";

/** The configs of a tenant (specification, Tenant: `configs`). */
export const configs = keysSetting({
  name: "configs",
  triggersSync: true,
  live: ({ tenant }) => tenant.configs,
  schemaOf: (schemas) => schemas.configs,
  createFields: (configs) => ({ configs }),
  writeWhole: (whole) => ({ endpoint: "tenant", fields: (change) => ({ configs: whole(change) }) }),
});
