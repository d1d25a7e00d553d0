import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// Loaded before a Pulumi program (`NODE_OPTIONS=--import`). Writes to a file how many milliseconds after the start of the
// process the program registers its first resource, not counting the stack itself. In other processes it does nothing.

const { START_WATCH_FILE: file } = process.env;
if (file !== undefined && process.argv[1]?.includes(join("@pulumi", "pulumi", "cmd", "run"))) {
  const { ResourceMonitorClient } = createRequire(process.argv[1])("@pulumi/pulumi/proto/resource_grpc_pb.js");
  const { registerResource } = ResourceMonitorClient.prototype;
  let isFirst = true;
  ResourceMonitorClient.prototype.registerResource = function (request: { getType(): string }, ...rest: unknown[]) {
    if (isFirst && request.getType() !== "pulumi:pulumi:Stack") {
      isFirst = false;
      writeFileSync(file, String(performance.now()));
    }
    return registerResource.call(this, request, ...rest);
  };
}
