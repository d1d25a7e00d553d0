import type { OperationContext } from "./operation-context.ts";

/**
 * The platform's time: the `Date` of its last response. If it has sent none in this operation, it is asked first. The time of
 * this machine, with a warning, if its responses have no `Date`.
 */
export async function platformTime({
  client,
  snapshot,
  warn,
}: Pick<OperationContext, "client" | "snapshot" | "warn">): Promise<Date> {
  if (client.clock() === undefined) await snapshot.integrations.all();
  const told = client.clock();
  if (told === undefined) {
    warn("the platform's responses have no Date header: overrides end by this machine's clock");
  }
  return told ?? new Date();
}
