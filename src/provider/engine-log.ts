import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import { getEngine, getProject, getStack, resetOptions } from "@pulumi/pulumi/runtime/settings.js";
import type { EngineLog } from "./connection.ts";

/** After this, a message goes to standard error, so that an engine that does not answer holds up no resource. */
const answerMaximumSeconds = 30;

type Severity = Parameters<EngineLog["send"]>[0];

const severities = {
  info: engineMessages.LogSeverity.INFO,
  warning: engineMessages.LogSeverity.WARNING,
} as const;

/**
 * Creates the {@link EngineLog} of an engine. The dynamic provider host has no log of its own, but its last argument is the
 * engine's address. The messages belong to no resource, because the host does not pass on the URNs.
 *
 * @param address the address on which the engine listens.
 */
export function createEngineLog(address: string): EngineLog {
  let engine: ReturnType<typeof getEngine>;
  const connected = () => {
    if (engine !== undefined) return engine;
    resetOptions(getProject(), getStack(), -1, address, "", false, ""); // all but the address are the host's own
    engine = getEngine();
    return engine;
  };
  const sendNow = (severity: Severity, message: string) =>
    new Promise<void>((resolve, reject) => {
      const request = new engineMessages.LogRequest();
      request.setSeverity(severities[severity]);
      request.setMessage(message);
      const log = connected();
      if (log === undefined) throw new Error("the address of the engine is not known");
      const call = log.log(request, (error: unknown) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      });
      const timer = setTimeout(() => call.cancel(), answerMaximumSeconds * 1000);
    }).catch(() => console.error(severity === "info" ? message : `${severity}: ${message}`)); // never fails the resource

  let last = Promise.resolve();
  return {
    send: (severity, message) => {
      last = last.then(() => sendNow(severity, message)); // one after the other, so that they keep their order
    },
    sent: () => last,
  };
}
