import { agreeingResponses, type Client } from "../api/index.ts";
import type { Snapshot } from "../snapshot/index.ts";
import { wait } from "./poll.ts";

/** The time by which overrides end and rollouts go on. */
export interface PlatformTime {
  /** The platform's time; if it is not believed, the earlier one of its time and this machine's. */
  at: Date;
  /**
   * Whether it is known what time it is: see docs/decisions/the-platforms-time.md. If not, no paused tenant is resumed and no
   * wave starts, whatever the time is.
   */
  isBelieved: boolean;
}

/** What asks the platform for its time. */
interface Asking {
  client: Client;
  warn(message: string): void;
}

/** What {@link platformTime} needs of an operation. */
export interface TimeContext extends Asking {
  findTime(): Promise<void>;
  recordTime(time: PlatformTime): void;
}

/** The time as the responses so far have shown it: the platform's, or the machine's if they have no `Date`. */
export function timeNow({ clock, doubtedTime }: Pick<Client, "clock" | "doubtedTime">): PlatformTime {
  const doubted = doubtedTime();
  if (doubted === undefined) return { at: clock() ?? new Date(), isBelieved: true };
  const { shown, machine } = doubted;
  return { at: shown < machine ? shown : machine, isBelieved: false };
}

/** The time, after the platform was asked often enough to know it. Warns if the time remains unknown. */
export async function platformTime({ client, findTime, recordTime, warn }: TimeContext): Promise<PlatformTime> {
  if (client.clock() === undefined) await findTime();
  if (client.clock() === undefined && client.doubtedTime() === undefined) {
    warn("the platform's responses have no Date header: overrides and rollouts go by this machine's clock");
  }
  const time = timeNow(client);
  recordTime(time);
  return time;
}

/**
 * Asks the platform until its time is believed, or it is clear that it is not. If its responses agree with each other, this
 * takes a few seconds longer than they have to agree.
 */
export async function findTime({
  client,
  snapshot,
  signal,
  warn,
}: Asking & { snapshot: Snapshot; signal: AbortSignal }): Promise<void> {
  if (client.doubtedTime() === undefined) await snapshot.integrations.all();
  for (const seconds of pausesSeconds) {
    if (client.doubtedTime() === undefined) return;
    await wait(seconds * 1000, signal);
    await client.integrations.listPage({ limit: 1 });
  }
  warnOfDoubt({ client, warn });
}

/** The first question comes at once: perhaps a single response was wrong. */
const pausesSeconds = [0, agreeingResponses.seconds / 2, agreeingResponses.seconds / 2 + 1];

/** Tells the user that the platform's time is not believed, and what that means. */
function warnOfDoubt({ client, warn }: Asking): void {
  const doubted = client.doubtedTime();
  if (doubted === undefined) return;
  const [shown, machine] = [doubted.shown, doubted.machine].map((time) => time.toISOString().replace(".000Z", "Z"));
  warn(
    `it is not known what time it is: the platform shows ${shown}, this machine has ${machine}, and the platform's responses ` +
      "do not agree with each other. This operation goes on as if nothing had expired: it resumes no tenant whose override " +
      "has an end, and no rollout goes on. Set this machine's clock; if it is right, tell the platform's operators. Then run " +
      "the command again",
  );
}
