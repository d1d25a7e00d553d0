// `pulumi-resource-integration-platform <address of the engine>`: the native provider. The engine reads its port from
// standard output.
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { exitWithParent } from "../provider/exit-with-parent.ts";
import { createPluginLog } from "./engine-log.ts";
import schema from "./schema.json" with { type: "json" };
import { createService } from "./service.ts";

/** The engine's own limit for a message, which a large fleet comes near. */
const messageMaximumBytes = 400 * 1024 * 1024;

const engineAddress = process.argv.at(-1) ?? "";
const address = /^[^\s/]+:\d+$/.test(engineAddress) ? engineAddress : "";
const server = new Server({
  "grpc.max_receive_message_length": messageMaximumBytes,
  "grpc.max_send_message_length": messageMaximumBytes,
});
const { definition, implementation } = createService(createPluginLog(address), {
  version: schema.version,
  engineAddress: address,
  schema: () => JSON.stringify(schema),
});
server.addService(definition, implementation);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
  exitWithParent(address);
});
