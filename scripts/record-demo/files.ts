import { join } from "node:path";

const folder = join(import.meta.dirname, "../../docs/public");

/** A demo that is recorded, and the steps of it that a picture shows. */
export interface Recording {
  /** What a user types. */
  readonly command: string;
  /** The arguments of demo/main.ts. */
  readonly args: readonly string[];
  readonly castFile: string;
  readonly pictureFile: string;
  /** The picture shows these steps and those between. */
  readonly steps: readonly [first: number, last: number];
}

export const driftRecording: Recording = {
  command: "npm run demo",
  args: [],
  castFile: join(folder, "demo.cast"),
  pictureFile: join(folder, "drift.svg"),
  steps: [3, 5],
};

export const rolloutRecording: Recording = {
  command: "npm run demo -- rollout",
  args: ["rollout"],
  castFile: join(folder, "rollout.cast"),
  pictureFile: join(folder, "rollout.svg"),
  steps: [2, 3],
};

export const recordings = [driftRecording, rolloutRecording];
