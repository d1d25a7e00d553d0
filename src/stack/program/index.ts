export { refuseNoTenants } from "./refuse-no-tenants.ts";
export { preflight } from "./run-preflight.ts";
export { readStack, type Stack } from "./stack.ts";
export { syncArgs } from "./tenants.ts";
export { type DeclaredReceiver, receiverArgs } from "./webhook-receiver.ts";
