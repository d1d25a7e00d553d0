import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SecretRegistry } from "../api/index.ts";
import { valueAt } from "../json/key-path.ts";
import { functions } from "../lookups/functions.ts";
import type { Connection } from "../provider/connection.ts";
import { messageOf } from "../provider/messages.ts";
import { withMarksInLists } from "../provider/secret-marks.ts";
import { functionToken } from "../resources/pulumi/type-token.ts";
import type { InvokeRequest, InvokeResponseSchema } from "./wire/protocol_pb.ts";
import { readStruct, writeStruct } from "./wire/struct.ts";

const byToken = new Map(Object.entries(functions).map(([name, lookup]) => [functionToken(name), lookup]));

/**
 * Calls the plugin's functions, which look up data of the platform. What looks like a secret in a result is one.
 *
 * @param connect returns the connection of the process.
 * @param secrets gets the secrets in arguments and results.
 */
export function createInvoke(connect: () => Connection, secrets: SecretRegistry) {
  return async ({ tok, args }: InvokeRequest): Promise<MessageInitShape<typeof InvokeResponseSchema>> => {
    const lookup = byToken.get(tok);
    if (lookup === undefined) {
      throw new Error(`there is no function ${tok}. There are: ${Object.keys(functions).join(", ")}`);
    }
    try {
      const given = readStruct(args ?? new Uint8Array());
      secrets.add(given.secretPaths.map((path) => valueAt(given.value, path)));
      const { result, secretPaths } = await lookup.invokeWithSecrets(connect().context, given.value);
      secrets.add(secretPaths.map((path) => valueAt(result, path)));
      return { return: writeStruct(withMarksInLists(result, secretPaths), []) };
    } catch (error) {
      throw new Error(messageOf(error, secrets));
    }
  };
}
