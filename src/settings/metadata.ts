import { keysSetting } from "./keys-setting.ts";

/** The metadata of a tenant (specification, TenantMetadata), which has its own endpoint. */
export const metadata = keysSetting({
  name: "metadata",
  triggersSync: true,
  live: ({ metadata }) => metadata,
  schemaOf: (schemas) => schemas.metadata,
  writeWhole: (whole) => ({ endpoint: "metadata", data: whole }),
});
