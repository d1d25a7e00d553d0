import { setTimeout as wait } from "node:timers/promises";

const pieces = 10;

/** The answer with its body in pieces, the last of which comes `ms` milliseconds after the head. */
export async function drip(answer: Response, ms: number, closing: AbortSignal): Promise<Response> {
  const body = new Uint8Array(await answer.arrayBuffer());
  const size = Math.max(1, Math.ceil(body.length / pieces));
  const pauseMilliseconds = (ms * size) / Math.max(1, body.length);
  let sent = 0;
  const slowly = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const isClosing = await wait(pauseMilliseconds, false, { signal: closing }).catch(() => true);
      if (isClosing) return controller.close(); // the connection is cut anyway
      controller.enqueue(body.subarray(sent, sent + size));
      sent += size;
      if (sent >= body.length) controller.close();
    },
  });
  return new Response(body.length === 0 ? null : slowly, answer);
}
