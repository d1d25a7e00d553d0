import { fstatSync } from "node:fs";
import { connect } from "node:net";

/**
 * Ends this process once its engine has ended. The engine holds the other end of standard input; the host does not look
 * there: a provider whose engine was killed would go on making tenants while the next `up` looks for them.
 *
 * @param engineAddress where the engine listens. While somebody answers there, it has not ended.
 */
export function leaveWithEngine(engineAddress = process.argv.at(-1) ?? ""): void {
  const standardInput = fstatSync(0, { throwIfNoEntry: false });
  if (!standardInput?.isFIFO() && !standardInput?.isSocket()) return; // a terminal, or nothing: nobody holds it
  const { hostname, port } = URL.parse(`http://${engineAddress}`) ?? {};
  if (!hostname || !port) return;
  const ask = () => {
    const call = connect(Number(port), hostname, () => call.destroy());
    call.once("error", () => process.exit(1));
  };
  // one that is being killed lets go of its ends one after the other
  process.stdin.once("end", () => setInterval(ask, 500)).resume();
}
