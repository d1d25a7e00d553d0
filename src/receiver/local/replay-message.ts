import * as z from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { jsonIn } from "../../json/parse-json.ts";

/** Asks a local receiver to publish a record of its ledger again. */
export interface Replay {
  /** The record. The replay keeps its ingest id. */
  readonly ingestId: string;
  /** Identifies the replay, so that a handler that drops duplicates does not drop it. */
  readonly replayId: string;
}

const id = z.string().check(minLength(1));
const replaySchema = z.object({ version: z.literal(1), replay: z.object({ ingestId: id, replayId: id }) });

/** Encodes a replay as a message of a local receiver's queue, in which it stands beside the webhooks. */
export function encodeReplay({ ingestId, replayId }: Replay): string {
  return JSON.stringify({ version: 1, replay: { ingestId, replayId } } satisfies z.infer<typeof replaySchema>);
}

/** Decodes the replay in a message of the queue. Returns undefined for any other message. */
export function decodeReplay(message: string): Replay | undefined {
  return replaySchema.safeParse(jsonIn(message)).data?.replay;
}
