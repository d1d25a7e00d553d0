import { AsyncLocalStorage } from "node:async_hooks";
import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import type { EngineLog } from "../provider/connection.ts";
import { LogRequestSchema, LogSeverity } from "./wire/protocol_pb.ts";

/** The {@link EngineLog} of a plugin. The engine shows a message at the resource that it works on. */
export interface PluginLog extends EngineLog {
  /** Runs work on a resource, to which its messages belong. */
  forResource<T>(urn: string, work: () => Promise<T>): Promise<T>;
}

const severities = { info: LogSeverity.INFO, warning: LogSeverity.WARNING };

/** After this, a message goes to standard error, so that an engine that does not answer holds up no resource. */
const answerMaximumSeconds = 30;

/**
 * Creates the {@link PluginLog}.
 *
 * @param address the address on which the engine listens; empty if there is no engine.
 */
export function createPluginLog(address: string): PluginLog {
  const resource = new AsyncLocalStorage<string>();
  let engine: Client | undefined;
  let isSilent = false;
  const send = (severity: "info" | "warning", message: string, urn: string) =>
    new Promise<void>((resolve, reject) => {
      if (address === "" || isSilent) throw new Error("the engine cannot be told");
      engine ??= new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 }); // it is on loopback
      const request = create(LogRequestSchema, { severity: severities[severity], message, urn });
      const bytes = Buffer.from(toBinary(LogRequestSchema, request));
      const deadline = Date.now() + answerMaximumSeconds * 1000;
      engine.makeUnaryRequest("/pulumirpc.Engine/Log", asIs, asIs, bytes, { deadline }, (error) =>
        error ? reject(error) : resolve(),
      );
    }).catch(() => {
      isSilent = true; // the next messages do not wait for it again
      console.error(severity === "info" ? message : `${severity}: ${message}`); // never fails the resource
    });

  let last = Promise.resolve();
  return {
    send: (severity, message) => {
      const urn = resource.getStore() ?? "";
      last = last.then(() => send(severity, message, urn)); // one after the other, so that they keep their order
    },
    sent: () => last,
    forResource: (urn, work) => resource.run(urn, work),
  };
}

function asIs(message: Buffer): Buffer {
  return message;
}
