import { fstatSync } from "node:fs";
import { connect } from "node:net";

/**
 * Ends this process once its engine has ended. Otherwise, the provider of a killed engine could still create tenants while
 * the next `up` lists them. The engine holds the other end of standard input, which the host itself does not watch.
 *
 * @param engineAddress the address on which the engine listens. While it accepts connections, the engine has not ended.
 */
export function exitWithParent(engineAddress: string): void {
  const standardInput = fstatSync(0, { throwIfNoEntry: false });
  if (!standardInput?.isFIFO() && !standardInput?.isSocket()) return; // a terminal or nothing, so no engine holds it
  const { hostname, port } = URL.parse(`http://${engineAddress}`) ?? {};
  if (!hostname || !port) return;
  const ask = () => {
    const call = connect(Number(port), hostname, () => call.destroy());
    call.once("error", () => process.exit(1));
  };
  // an engine that is being killed may close standard input before its listener, so ask until the listener is closed
  process.stdin.once("end", () => setInterval(ask, 500)).resume();
}
