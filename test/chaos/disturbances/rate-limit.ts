import { strikesOf } from "./answers.ts";
import type { Disturb } from "./disturbance.ts";

/** The platform answers ten requests a second, and refuses the others. */
export const rateLimit: Disturb = async ({ platform }) => {
  await platform.fault({ kind: "rate-limit", perSecond: 10 });
  return {
    kills: false,
    end: async () => {
      await platform.clearFaults();
      return strikesOf(await platform.requests());
    },
  };
};
