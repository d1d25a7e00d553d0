import type { SecretRegistry } from "../api/index.ts";
import type { Connection } from "../provider/connection.ts";
import type { Decoded, Encodable } from "./wire/message.ts";
import type { invokeRequest, invokeResponse } from "./wire/protocol.ts";

/** Calls the plugin's functions, which look up data of the platform. */
export function createInvoke(_connect: () => Connection, _secrets: SecretRegistry) {
  return async ({ tok }: Decoded<typeof invokeRequest>): Promise<Encodable<typeof invokeResponse>> => {
    throw new Error(`there is no function ${tok}`);
  };
}
