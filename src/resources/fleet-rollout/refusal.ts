import type { ApiError, ErrorDetail } from "../../api/index.ts";
import { shortList } from "../../json/short-list.ts";

/**
 * A refusal by the platform, as a reason in the state: `PATCH /v2/tenants/5001 answered 422 for configs.api_token`. The platform's
 * own message is left out: it may quote secrets, and a rollout does not know those of its tenants.
 */
export function describeRefusal({
  method,
  path,
  status,
  details = [],
}: Pick<ApiError, "method" | "path" | "status"> & { details?: readonly ErrorDetail[] }): string {
  const paths = new Set(details.map((detail) => detail.path).filter((named) => named !== ""));
  const named = paths.size === 0 ? "" : ` for ${shortList([...paths])}`;
  return `${method} ${path} answered ${status}${named}`;
}
