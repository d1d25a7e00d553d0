import { z } from "zod";
import type { Setting } from "./setting.ts";

/** Whether a tenant is paused (specification, Tenant: `paused`). A POST always creates a paused tenant. */
export const paused: Setting<boolean> = {
  schema: z.boolean("must be true or false"),
  kind: "value",
  triggersSync: false,
  live: ({ tenant }) => tenant.paused,
  observe: ({ observed }) => observed.tenant.paused,
  unlikeCreated: () => [],
  write: {
    endpoint: "tenant",
    fields: ({ declared }) => ({ paused: declared }),
    // the first run of a resumed tenant must not start with only a part of its configs
    isWrittenLast: (paused) => !paused,
  },
  export: ({ observed }) => ({ value: observed.tenant.paused, leftOut: [] }),
};
