import { stopBySignal } from "../stop-by-signal.ts";
import { openReceiverSandbox } from "./sandbox.ts";
import { receiverStory } from "./story.ts";

/** Shows what the operator of a webhook receiver sees, with the real engine, AWS's runtime, moto and the emulator. */
export async function tellReceiver(): Promise<void> {
  using stop = stopBySignal();
  try {
    await using sandbox = await openReceiverSandbox({ signal: stop.signal });
    for await (const _ of receiverStory(sandbox)) stop.signal.throwIfAborted();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    console.error(String(stop.signal.reason));
  }
}
