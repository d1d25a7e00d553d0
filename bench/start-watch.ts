import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// Loaded before a Pulumi program or a dynamic provider (`NODE_OPTIONS=--import`). Writes to a file in `START_WATCH_FOLDER` how
// long after the start of the process a program registers its first resource, not counting the stack itself, or a provider
// answers its first check. In other processes it does nothing.

/** What a file says, in milliseconds. */
export interface StartTimes {
  readonly wall: number;
  /** The processor time of the whole process. */
  readonly cpu: number;
}

const { START_WATCH_FOLDER: folder } = process.env;
const [, main = ""] = process.argv;
const sdk = join("@pulumi", "pulumi", "cmd");
if (folder !== undefined && main.includes(join(sdk, "run"))) watchProgram(folder);
if (folder !== undefined && main.includes(join(sdk, "dynamic-provider"))) watchProvider(folder);

function watchProgram(folder: string): void {
  const { ResourceMonitorClient } = createRequire(main)("@pulumi/pulumi/proto/resource_grpc_pb.js");
  const { registerResource } = ResourceMonitorClient.prototype;
  const write = once(join(folder, "program"));
  ResourceMonitorClient.prototype.registerResource = function (request: { getType(): string }, ...rest: unknown[]) {
    if (request.getType() !== "pulumi:pulumi:Stack") write();
    return registerResource.call(this, request, ...rest);
  };
}

function watchProvider(folder: string): void {
  const { Server } = createRequire(createRequire(main).resolve("@pulumi/pulumi"))("@grpc/grpc-js");
  const { addService } = Server.prototype;
  const write = once(join(folder, "provider"));
  Server.prototype.addService = function (definition: object, service: { check: Check }) {
    const { check } = service;
    service.check = function (call, answer) {
      return check.call(this, call, (...result) => {
        write();
        answer(...result);
      });
    };
    return addService.call(this, definition, service);
  };
}

type Check = (this: unknown, call: unknown, answer: (...result: unknown[]) => void) => unknown;

function once(file: string): () => void {
  let isWritten = false;
  return () => {
    if (isWritten) return;
    isWritten = true;
    const { user, system } = process.cpuUsage();
    const times: StartTimes = { wall: performance.now(), cpu: (user + system) / 1000 };
    writeFileSync(file, JSON.stringify(times));
  };
}
