export { preflight } from "./preflight.ts";
export { readStack, type Stack } from "./stack.ts";
export { syncArgs } from "./syncs.ts";
export { receiverArgs } from "./webhook-receiver.ts";
