import { z } from "zod";
import { table } from "../../src/cli/fit.ts";
import type { Sandbox } from "../sandbox.ts";
import { listTenants } from "../tenants.ts";

const releasesSchema = z.array(z.object({ id: z.number(), tag: z.string() }));
const shownMaximum = 6;

/** Which tenants run which release, as the platform's API lists them: a line for each release. */
export async function releaseTable(box: Sandbox): Promise<string> {
  const releases = releasesSchema.parse(await box.call("GET", "/v2/integrations/201/releases"));
  const tenants = [...(await listTenants(box)).values()];
  const rows = releases.flatMap(({ id, tag }) => {
    const names = tenants
      .filter((tenant) => tenant.integration_release_id === id)
      .map(({ name }) => name)
      .toSorted();
    const more = names.length > shownMaximum ? [`and ${names.length - shownMaximum} more`] : [];
    return names.length === 0
      ? []
      : [[tag, String(names.length), [...names.slice(0, shownMaximum), ...more].join(" ")]];
  });
  return table([["RELEASE", "TENANTS", ""], ...rows]);
}
